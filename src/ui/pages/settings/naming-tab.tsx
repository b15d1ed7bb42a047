import { useSignals } from '@preact/signals-react/runtime'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Naming, NamingPreview, Renames, ReplacementStrategy, Settings } from '../../../shared/api/settings'
import { replacementStrategies } from '../../../shared/choices'
import { useApp } from '../../app-context'
import { TextField } from '../../components/fields'
import { Loaded } from '../../components/states'
import { useAction } from '../../components/use-action'
import { FormDialog } from '../../library/forms/form-dialog'
import { SettingGroup, SettingRow, SettingSwitch, useDraft } from '../../library/forms/setting-row'
import { useResource } from '../../use-resource'
import { settingFailure, type SettingFailure, SettingsForm } from './settings-form'
import './settings.css'

/** The names of downloaded files. */
export function NamingTab() {
  const { api } = useApp()
  const settings = useResource(api.system.settings, [])
  return (
    <Loaded resource={settings} rows={4}>
      {saved => <NamingForm settings={saved} onSaved={settings.set} />}
    </Loaded>
  )
}

const PREVIEW_DEBOUNCE_MS = 300
type SwitchName = 'useExistingFilename' | 'replaceInvalidCharacters' | 'directPaths' | 'episodeNumbering'

/** The file naming settings, with a preview on episodes of the library. Saving offers to rename existing files. */
function NamingForm({ settings, onSaved }: { settings: Settings; onSaved: (settings: Settings) => void }) {
  useSignals()
  const { api } = useApp()
  const saved = useMemo(() => namingOf(settings), [settings])
  const draft = useDraft('naming', saved)
  const naming = draft.value
  const [plan, setPlan] = useState<Renames | null>(null)
  const preview = useResource((signal, given: Naming) => api.system.previewNaming(given, signal), [naming], {
    debounceMs: PREVIEW_DEBOUNCE_MS,
  })
  const saving = useSaving(naming, setPlan, () => {
    onSaved({ ...settings, ...naming })
    draft.forget()
  })
  function change(edit: Partial<Naming>) {
    saving.forgetFailure()
    draft.change({ ...naming, ...edit })
  }

  function discard() {
    saving.forgetFailure()
    draft.forget()
  }
  // The preview validates the settings as the user edits them, so it refuses what saving would refuse.
  const refusal = settingFailure(preview.error)
  const failure = settingFailure(saving.failure) ?? refusal
  return (
    <>
      <SettingsForm
        isBusy={saving.isBusy}
        isRefused={refusal !== null && refusal.field !== ''}
        isChanged={draft.isChanged}
        failure={failure && !isFormatName(failure.field) ? failure.reason : null}
        onSave={() => saving.run()}
        onDiscard={discard}
        preview={<Preview samples={preview.data ?? []} />}
      >
        <NamingFields naming={naming} failure={failure} onChange={change} />
      </SettingsForm>
      {plan && <RenameDialog plan={plan} onClose={() => setPlan(null)} />}
    </>
  )
}

type FieldsProps = { naming: Naming; failure: SettingFailure | null; onChange: (edit: Partial<Naming>) => void }

function NamingFields({ naming, failure, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const renderSwitch = (name: SwitchName) => (
    <SettingSwitch
      label={t(`setting-${name}`)}
      help={t(`setting-${name}-help`)}
      isOn={naming[name]}
      onChange={isOn => onChange({ [name]: isOn })}
    />
  )
  const renderFormat = (name: FormatName) => (
    <FormatField
      name={name}
      value={naming[name]}
      failure={failure?.field === name ? failure.reason : null}
      onChange={text => onChange({ [name]: text })}
    />
  )
  return (
    <>
      <SettingGroup title={t('names')}>
        {renderFormat('podcastFormat')}
        {renderFormat('episodeFormat')}
      </SettingGroup>
      <SettingGroup title={t('files')}>
        {renderSwitch('useExistingFilename')}
        {renderSwitch('directPaths')}
        <SettingRow label={t('setting-replacementStrategy')}>
          {ids => (
            <select
              {...ids}
              value={naming.replacementStrategy}
              onChange={event => onChange({ replacementStrategy: event.target.value as ReplacementStrategy })}
            >
              {replacementStrategies.map(strategy => (
                <option key={strategy} value={strategy}>
                  {t(strategy)}
                </option>
              ))}
            </select>
          )}
        </SettingRow>
        {renderSwitch('replaceInvalidCharacters')}
        {renderSwitch('episodeNumbering')}
      </SettingGroup>
    </>
  )
}

/** Saves the settings, then asks the server which existing files would get another name. */
function useSaving(naming: Naming, onRenames: (plan: Renames) => void, onSaved: () => void) {
  const { api, toasts } = useApp()
  const { t } = useTranslation()
  return useAction(async () => {
    await api.system.editNaming(naming)
    onSaved()
    toasts.done(t('settings-saved'))
    const plan = await api.system.renames()
    if (plan.total > 0) onRenames(plan)
  })
}

const namingOf = (settings: Settings): Naming => ({
  useExistingFilename: settings.useExistingFilename,
  replaceInvalidCharacters: settings.replaceInvalidCharacters,
  replacementStrategy: settings.replacementStrategy,
  episodeFormat: settings.episodeFormat,
  podcastFormat: settings.podcastFormat,
  directPaths: settings.directPaths,
  episodeNumbering: settings.episodeNumbering,
})

function Preview({ samples }: { samples: NamingPreview }) {
  const { t } = useTranslation()
  if (samples.length === 0) return null
  return (
    <section className="naming-preview" aria-label={t('preview')}>
      <h2>{t('preview')}</h2>
      <ul className="plan-list lined card">
        {samples.map(({ path, podcastName, episodeName }) => (
          <li className="stack gap-2 breaks" key={`${podcastName} ${episodeName} ${path}`}>
            <span className="muted">
              {podcastName} · {episodeName}
            </span>
            <code className="plain ink">{path}</code>
          </li>
        ))}
      </ul>
    </section>
  )
}

const variables = {
  podcastFormat: ['podcastTitle', 'description', 'language', 'explicit', 'keywords', 'date'],
  episodeFormat: ['episodeTitle', 'date', 'episodeNumber', 'description', 'duration', 'guid', 'url'],
} as const
type FormatName = keyof typeof variables

const isFormatName = (name: string): name is FormatName => name in variables

type Props = { name: FormatName; value: string; failure: string | null; onChange: (value: string) => void }

/** A format for names, and its variables; pressing one inserts it at the cursor. */
function FormatField({ name, value, failure, onChange }: Props) {
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
      <TextField
        label={t(`setting-${name}`)}
        failure={failure}
        ref={field}
        type="text"
        maxLength={200}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        onChange={onChange}
      />
      <div className="above-8 wrap gap-8" role="group" aria-label={t('format-variables')}>
        {variables[name].map(variable => (
          <button key={variable} type="button" className="format-variable rigid muted" onClick={() => insert(variable)}>
            {`{${variable}}`}
          </button>
        ))}
      </div>
    </div>
  )
}

const POLL_MS = 1000

/** Offers to rename existing files after the settings have changed. */
function RenameDialog({ plan, onClose }: { plan: Renames; onClose: () => void }) {
  const { api, failed } = useApp()
  const { t } = useTranslation()
  const reportRename = useRenameReport()
  async function rename() {
    const { jobId } = await api.system.rescan({ applyFilenames: true })
    // The dialog closes before that: a rename run can take minutes.
    void reportRename(jobId).catch(failed)
  }
  return (
    <FormDialog
      title={t('rename-title', { count: plan.total })}
      action={t('rename-files', { count: plan.total })}
      onSubmit={rename}
      onClose={onClose}
    >
      <p>{t('rename-text')}</p>
      <ul className="plan-list ruled scroll-list scrolls">
        {plan.renames.map(({ from, to }) => (
          <li className="stack gap-2 breaks" key={from}>
            <span className="muted">{from}</span>
            <span>{to}</span>
          </li>
        ))}
      </ul>
      {plan.total > plan.renames.length && (
        <p className="muted">{t('and-more', { count: plan.total - plan.renames.length })}</p>
      )}
    </FormDialog>
  )
}

/** Returns a function that waits for a rename run to end and shows its result. */
function useRenameReport() {
  const { api, toasts } = useApp()
  const { t } = useTranslation()
  return async (id: string) => {
    let run = await api.system.job(id)
    while (run.state === 'running') {
      await new Promise(resolve => setTimeout(resolve, POLL_MS))
      run = await api.system.job(id)
    }
    const renamed = run.done - run.failed
    if (run.failed > 0) toasts.failed(t('renamed-in-part', { count: renamed, failed: run.failed }))
    else toasts.done(t('renamed', { count: renamed }))
  }
}
