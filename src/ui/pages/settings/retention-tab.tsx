import { useSignals } from '@preact/signals-react/runtime'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Cleanup, Settings } from '../../../shared/api/settings'
import { ApiError } from '../../api/client'
import { useApp } from '../../app-context'
import { describeFailure } from '../../failure'
import { Field } from '../../components/field'
import { FormDialog } from '../../components/form-dialog'
import { Notice } from '../../components/notice'
import { Failed, Skeleton } from '../../components/states'
import { Switch } from '../../components/switch'
import { useDraft } from '../../components/use-draft'
import { formatBytes } from '../../format'
import { useLoaded } from '../../use-loaded'
import { SaveButton } from './save-button'

/** What is fetched, and what is kept. For admins to change, for others to know. */
export function RetentionTab() {
  useSignals()
  const { api } = useApp()
  const { data: settings, setData: setSettings, error, load } = useLoaded(api.system.settings)
  if (error !== null && !settings) return <Failed error={error} onRetry={load} />
  if (!settings) return <Skeleton kind="row" count={4} />
  return (
    <div className="settings">
      <RetentionForm settings={settings} onSaved={setSettings} />
      <CleanupSection />
    </div>
  )
}

type Bounds = { min: number; max: number }
const bounds = {
  autoCleanupDays: { min: 1, max: 36_500 },
  podcastPrefill: { min: 0, max: 10_000 },
  keepLast: { min: 1, max: 10_000 },
} satisfies Record<string, Bounds>

/** The fields as they stand: numbers are texts until they are saved. */
const fieldsOf = (settings: Settings) => ({
  autoCleanup: settings.autoCleanup,
  autoUpdate: settings.autoUpdate,
  autoDownload: settings.autoDownload,
  deleteAfterListened: settings.deleteAfterListened,
  autoCleanupDays: String(settings.autoCleanupDays),
  podcastPrefill: String(settings.podcastPrefill),
  keepLast: settings.keepLast === null ? '' : String(settings.keepLast),
})

function RetentionForm({ settings, onSaved }: { settings: Settings; onSaved: (settings: Settings) => void }) {
  useSignals()
  const { api, session, toasts } = useApp()
  const { t } = useTranslation()
  const { value: fields, change, forget, isChanged } = useDraft('retention', fieldsOf(settings))
  const [failure, setFailure] = useState<{ field: string; reason: string } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const isAdmin = session.isAdmin.value

  async function save(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setFailure(null)
    try {
      const { autoCleanupDays, podcastPrefill, keepLast, ...switches } = fields
      onSaved(
        await api.system.editSettings({
          ...switches,
          autoCleanupDays: Number.parseInt(autoCleanupDays, 10),
          podcastPrefill: Number.parseInt(podcastPrefill, 10),
          keepLast: keepLast.trim() === '' ? null : Number.parseInt(keepLast, 10),
        }),
      )
      forget()
      toasts.done(t('settings-saved'))
    } catch (error) {
      const field = error instanceof ApiError ? (error.args['field'] ?? '') : ''
      const limit = bounds[field as keyof typeof bounds]
      setFailure({ field, reason: limit ? t('whole-number', limit) : describeFailure(error) })
    }
    setBusy(false)
  }
  const toggle = (name: 'autoCleanup' | 'autoUpdate' | 'autoDownload' | 'deleteAfterListened') => (
    <Switch label={t(`setting-${name}`)} isOn={fields[name]} onChange={isOn => change({ ...fields, [name]: isOn })} />
  )
  const number = (name: keyof typeof bounds, { isOptional = false } = {}) => (
    <Field
      label={t(`setting-${name}`)}
      help={t(`setting-${name}-help`)}
      failure={failure?.field === name ? failure.reason : null}
    >
      {props => (
        <input
          {...props}
          {...bounds[name]}
          type="number"
          inputMode="numeric"
          step={1}
          required={!isOptional}
          value={fields[name]}
          onChange={event => change({ ...fields, [name]: event.target.value })}
        />
      )}
    </Field>
  )

  return (
    <form onSubmit={event => void save(event)}>
      {!isAdmin && <Notice title={t('not-admin')}>{t('settings-for-admins')}</Notice>}
      <fieldset disabled={!isAdmin}>
        {toggle('autoUpdate')}
        {toggle('autoDownload')}
        {number('podcastPrefill')}
        {toggle('autoCleanup')}
        {number('autoCleanupDays')}
        {number('keepLast', { isOptional: true })}
        {toggle('deleteAfterListened')}
      </fieldset>
      {failure && !(failure.field in bounds) && (
        <p className="field-failure" role="alert">
          {failure.reason}
        </p>
      )}
      {isAdmin && <SaveButton isBusy={isBusy} isChanged={isChanged} onDiscard={forget} />}
    </form>
  )
}

/** Shows what would go before anything does. */
function CleanupSection() {
  useSignals()
  const { api, drafts, session, toasts, failed } = useApp()
  const { t } = useTranslation()
  const [plan, setPlan] = useState<Cleanup | null>(null)
  const [isBusy, setBusy] = useState(false)
  if (!session.isAdmin.value) return null
  const isDirty = drafts.all.value.has('retention')

  async function look() {
    setBusy(true)
    try {
      const found = await api.system.cleanup()
      if (found.total === 0) toasts.done(t('nothing-to-clean'))
      else setPlan(found)
    } catch (error) {
      failed(error)
    }
    setBusy(false)
  }
  return (
    <section className="cleanup">
      <h2>{t('cleanup')}</h2>
      <p>{t('cleanup-text')}</p>
      {isDirty && <p className="muted">{t('save-before-cleanup')}</p>}
      <button
        type="button"
        className="secondary"
        aria-busy={isBusy}
        disabled={isBusy || isDirty}
        onClick={() => void look()}
      >
        {t('run-cleanup')}
      </button>
      {plan && (
        <FormDialog
          isDanger
          title={t('cleanup-title')}
          action={t('delete-files', { count: plan.total, size: formatBytes(plan.freedBytes) })}
          onSubmit={async () => {
            const { affected, freedBytes } = await api.system.runCleanup()
            toasts.done(t('cleaned-up', { count: affected, size: formatBytes(freedBytes) }))
          }}
          onClose={() => setPlan(null)}
        >
          <ul className="cleanup-list">
            {plan.episodes.map(episode => (
              <li key={episode.id}>
                <span>{episode.name}</span>
                <span className="muted">
                  {episode.podcastName} · {formatBytes(episode.size)} · {t(`cleanup-${episode.reason}`)}
                </span>
              </li>
            ))}
          </ul>
          {plan.total > plan.episodes.length && (
            <p className="muted">{t('and-more', { count: plan.total - plan.episodes.length })}</p>
          )}
        </FormDialog>
      )}
    </section>
  )
}
