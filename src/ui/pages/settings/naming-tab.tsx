import { useSignals } from '@preact/signals-react/runtime'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Naming, NamingPreview, Renames, ReplacementStrategy, Settings } from '../../../shared/api/settings'
import { ApiError } from '../../api/client'
import { useApp } from '../../app-context'
import { describeFailure } from '../../failure'
import { Field } from '../../components/field'
import { FormDialog } from '../../components/form-dialog'
import { Notice } from '../../components/notice'
import { Failed, Skeleton } from '../../components/states'
import { Switch } from '../../components/switch'
import { useDraft } from '../../components/use-draft'
import { useLoaded } from '../../use-loaded'
import { SaveButton } from './save-button'
import './naming-tab.css'

const PREVIEW_AFTER_MS = 300
const strategies: readonly ReplacementStrategy[] = ['replace-with-dash', 'replace-with-dash-and-underscore', 'remove']
const variables = {
  podcastFormat: ['podcastTitle', 'description', 'language', 'explicit', 'keywords', 'date'],
  episodeFormat: ['episodeTitle', 'date', 'episodeNumber', 'description', 'duration', 'guid', 'url'],
} as const
type FormatName = keyof typeof variables

/** What files are called, shown on episodes of the library before anything is saved. */
export function NamingTab() {
  useSignals()
  const { api } = useApp()
  const { data: settings, setData: setSettings, error, load } = useLoaded(api.system.settings)
  if (error !== null && !settings) return <Failed error={error} onRetry={load} />
  if (!settings) return <Skeleton kind="row" count={4} />
  return (
    <div className="settings">
      <NamingForm settings={settings} onSaved={setSettings} />
    </div>
  )
}

const namingOf = ({
  useExistingFilename,
  replaceInvalidCharacters,
  replacementStrategy,
  episodeFormat,
  podcastFormat,
  directPaths,
  episodeNumbering,
}: Settings): Naming => ({
  useExistingFilename,
  replaceInvalidCharacters,
  replacementStrategy,
  episodeFormat,
  podcastFormat,
  directPaths,
  episodeNumbering,
})

function NamingForm({ settings, onSaved }: { settings: Settings; onSaved: (settings: Settings) => void }) {
  useSignals()
  const { api, session, toasts, failed } = useApp()
  const { t } = useTranslation()
  const { value: naming, change: setNaming, forget, isChanged } = useDraft('naming', namingOf(settings))
  const [failure, setFailure] = useState<{ field: string; reason: string } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [plan, setPlan] = useState<Renames | null>(null)
  const preview = usePreview(naming, setFailure)
  const isAdmin = session.isAdmin.value

  async function save(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    try {
      await api.system.editNaming(naming)
      onSaved({ ...settings, ...naming })
      forget()
      toasts.done(t('settings-saved'))
      const found = await api.system.renames()
      if (found.total > 0) setPlan(found)
    } catch (error) {
      setFailure(failureOf(error))
    }
    setBusy(false)
  }
  const toggle = (name: 'useExistingFilename' | 'replaceInvalidCharacters' | 'directPaths' | 'episodeNumbering') => (
    <Switch
      label={t(`setting-${name}`)}
      help={t(`setting-${name}-help`)}
      isOn={naming[name]}
      onChange={isOn => setNaming({ ...naming, [name]: isOn })}
    />
  )
  const format = (name: FormatName) => (
    <FormatField
      name={name}
      value={naming[name]}
      failure={failure?.field === name ? failure.reason : null}
      onChange={value => setNaming({ ...naming, [name]: value })}
    />
  )

  return (
    <>
      <form onSubmit={event => void save(event)}>
        {!isAdmin && <Notice title={t('not-admin')}>{t('settings-for-admins')}</Notice>}
        <fieldset disabled={!isAdmin}>
          {format('podcastFormat')}
          {format('episodeFormat')}
          {toggle('useExistingFilename')}
          {toggle('directPaths')}
          <Field label={t('setting-replacementStrategy')}>
            {props => (
              <select
                {...props}
                value={naming.replacementStrategy}
                onChange={event =>
                  setNaming({ ...naming, replacementStrategy: event.target.value as ReplacementStrategy })
                }
              >
                {strategies.map(strategy => (
                  <option key={strategy} value={strategy}>
                    {t(strategy)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {toggle('replaceInvalidCharacters')}
          {toggle('episodeNumbering')}
        </fieldset>
        <Preview samples={preview} />
        {failure && !(failure.field in variables) && (
          <p className="field-failure" role="alert">
            {failure.reason}
          </p>
        )}
        {isAdmin && (
          <SaveButton isBusy={isBusy} isRefused={failure !== null} isChanged={isChanged} onDiscard={forget} />
        )}
      </form>
      {plan && (
        <FormDialog
          title={t('rename-title', { count: plan.total })}
          action={t('rename-files', { count: plan.total })}
          onSubmit={async () => {
            const { jobId } = await api.system.rescan({ applyFilenames: true })
            void followRename(jobId)
          }}
          onClose={() => setPlan(null)}
        >
          <p>{t('rename-text')}</p>
          <ul className="rename-list">
            {plan.renames.map(({ from, to }) => (
              <li key={from}>
                <span className="muted">{from}</span>
                <span>{to}</span>
              </li>
            ))}
          </ul>
          {plan.total > plan.renames.length && (
            <p className="muted">{t('and-more', { count: plan.total - plan.renames.length })}</p>
          )}
        </FormDialog>
      )}
    </>
  )

  async function followRename(id: string) {
    try {
      let job = await api.system.job(id)
      while (job.state === 'running') {
        await new Promise(resolve => setTimeout(resolve, 1000))
        job = await api.system.job(id)
      }
      const renamed = job.done - job.failed
      if (job.failed > 0) toasts.failed(t('renamed-in-part', { count: renamed, failed: job.failed }))
      else toasts.done(t('renamed', { count: renamed }))
    } catch (error) {
      failed(error)
    }
  }
}

function failureOf(error: unknown) {
  const field = error instanceof ApiError ? (error.args['field'] ?? '') : ''
  return { field, reason: describeFailure(error) }
}

/** What the names would be, asked for a moment after the last change. */
function usePreview(
  naming: Naming,
  setFailure: (failure: { field: string; reason: string } | null) => void,
): NamingPreview | null {
  const { api } = useApp()
  const [samples, setSamples] = useState<NamingPreview | null>(null)
  useEffect(() => {
    let isStale = false
    const timer = setTimeout(() => {
      api.system.previewNaming(naming).then(
        found => {
          if (isStale) return
          setSamples(found)
          setFailure(null)
        },
        error => !isStale && setFailure(failureOf(error)),
      )
    }, PREVIEW_AFTER_MS)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [api, naming, setFailure])
  return samples
}

type FormatProps = { name: FormatName; value: string; failure: string | null; onChange: (value: string) => void }

/** A format, and what can be put into it where the cursor is. */
function FormatField({ name, value, failure, onChange }: FormatProps) {
  const { t } = useTranslation()
  const field = useRef<HTMLInputElement>(null)

  function insert(variable: string) {
    const input = field.current
    const [from, to] = [input?.selectionStart ?? value.length, input?.selectionEnd ?? value.length]
    onChange(`${value.slice(0, from)}{${variable}}${value.slice(to)}`)
    input?.focus()
  }
  return (
    <div className="format">
      <Field label={t(`setting-${name}`)} failure={failure}>
        {props => (
          <input
            {...props}
            ref={field}
            type="text"
            maxLength={200}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={value}
            onChange={event => onChange(event.target.value)}
          />
        )}
      </Field>
      <div className="format-variables" role="group" aria-label={t('format-variables')}>
        {variables[name].map(variable => (
          <button key={variable} type="button" className="format-variable" onClick={() => insert(variable)}>
            {`{${variable}}`}
          </button>
        ))}
      </div>
    </div>
  )
}

function Preview({ samples }: { samples: NamingPreview | null }) {
  const { t } = useTranslation()
  if (!samples || samples.length === 0) return null
  return (
    <section className="naming-preview" aria-label={t('preview')}>
      <h2>{t('preview')}</h2>
      <ul>
        {samples.map(({ path, podcastName, episodeName }) => (
          <li key={`${podcastName} ${episodeName} ${path}`}>
            <span className="muted">
              {podcastName} · {episodeName}
            </span>
            <code>{path}</code>
          </li>
        ))}
      </ul>
    </section>
  )
}
