import { useSignals } from '@preact/signals-react/runtime'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Naming, NamingPreview, Renames, Settings } from '../../../shared/api/settings'
import { replacementStrategies } from '../../../shared/choices'
import { useApp } from '../../app-context'
import { TextField } from '../../components/fields'
import { Notice } from '../../components/notice'
import { Loaded } from '../../components/states'
import { FormDialog } from '../../library/forms/form-dialog'
import { SettingChoice, SettingGroup, SettingSwitch, useDraft } from '../../library/forms/setting-row'
import { settingFailure, useInstantEdits } from '../../library/forms/use-instant-edits'
import { useResource } from '../../use-resource'
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
const draftOf = (name: string) => `settings.${name}`
type SwitchName = 'useExistingFilename' | 'replaceInvalidCharacters' | 'directPaths' | 'episodeNumbering'

/** The file naming settings, with a preview on episodes of the library. Afterwards existing files can be renamed. */
function NamingForm({ settings, onSaved }: { settings: Settings; onSaved: (settings: Settings) => void }) {
  useSignals()
  const { api } = useApp()
  const { t } = useTranslation()
  const [isChanged, setChanged] = useState(false)
  const { values, change, failureOf } = useInstantEdits(settings, {
    save: api.system.editSettings,
    onSaved(saved) {
      onSaved(saved)
      setChanged(true)
    },
    draftOf,
    read: text => text,
  })
  const podcastFormat = useDraft(draftOf('podcastFormat'), values.podcastFormat)
  const episodeFormat = useDraft(draftOf('episodeFormat'), values.episodeFormat)
  const naming = useMemo(
    () => ({ ...namingOf(values), podcastFormat: podcastFormat.value, episodeFormat: episodeFormat.value }),
    [values, podcastFormat.value, episodeFormat.value],
  )
  const preview = useResource((signal, given: Naming) => api.system.previewNaming(given, signal), [naming], {
    debounceMs: PREVIEW_DEBOUNCE_MS,
  })
  // The preview validates the settings as the user edits them, so it refuses what saving would refuse.
  const refusal = settingFailure(preview.error)
  const renderFormat = (name: FormatName, draft: typeof podcastFormat) => (
    <FormatField
      name={name}
      value={draft.value}
      {...(refusal?.field === name ? { failure: refusal.reason } : failureOf(name))}
      onChange={draft.change}
      onLeave={text => {
        if (text === values[name]) draft.forget()
        else change({ [name]: text })
      }}
    />
  )
  const renderSwitch = (name: SwitchName) => (
    <SettingSwitch
      label={t(`setting-${name}`)}
      help={t(`setting-${name}-help`)}
      isOn={values[name]}
      onChange={isOn => change({ [name]: isOn })}
      {...failureOf(name)}
    />
  )
  return (
    <>
      <SettingGroup title={t('names')}>
        {renderFormat('podcastFormat', podcastFormat)}
        {renderFormat('episodeFormat', episodeFormat)}
      </SettingGroup>
      <SettingGroup title={t('files')}>
        {renderSwitch('useExistingFilename')}
        {renderSwitch('directPaths')}
        <SettingChoice
          label={t('setting-replacementStrategy')}
          value={values.replacementStrategy}
          options={replacementStrategies}
          textOf={strategy => t(strategy)}
          onChange={replacementStrategy => change({ replacementStrategy })}
          {...failureOf('replacementStrategy')}
        />
        {renderSwitch('replaceInvalidCharacters')}
        {renderSwitch('episodeNumbering')}
      </SettingGroup>
      <Preview samples={preview.data ?? []} />
      {isChanged && <ExistingFiles naming={settings} />}
    </>
  )
}

/** Offers to rename the files that would get another name under the settings as they are saved. */
function ExistingFiles({ naming }: { naming: Settings }) {
  const { api } = useApp()
  const { t } = useTranslation()
  const plan = useResource((_signal, _given: Settings) => api.system.renames(), [naming])
  const [isAsking, setAsking] = useState(false)
  if (!plan.data || plan.data.total === 0) return null
  return (
    <Notice title={t('rename-title', { count: plan.data.total })}>
      <button type="button" className="secondary above-8" onClick={() => setAsking(true)}>
        {t('rename-files', { count: plan.data.total })}
      </button>
      {isAsking && (
        <RenameDialog
          plan={plan.data}
          onClose={() => {
            setAsking(false)
            void plan.retry()
          }}
        />
      )}
    </Notice>
  )
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

type Props = {
  name: FormatName
  value: string
  failure?: string | null
  onRetry?: () => void
  onChange: (value: string) => void
  /** Called with the text once the field, and the variables below it, are left. */
  onLeave: (value: string) => void
}

/** A format for names, and its variables; pressing one inserts it at the cursor. */
function FormatField({ name, value, failure, onRetry, onChange, onLeave }: Props) {
  const { t } = useTranslation()
  const field = useRef<HTMLInputElement>(null)

  function insert(variable: string) {
    const input = field.current
    const [from, to] = [input?.selectionStart ?? value.length, input?.selectionEnd ?? value.length]
    onChange(`${value.slice(0, from)}{${variable}}${value.slice(to)}`)
    input?.focus()
  }
  return (
    <div
      className="format"
      onBlur={event => {
        if (!event.currentTarget.contains(event.relatedTarget)) onLeave(value)
      }}
    >
      <TextField
        label={t(`setting-${name}`)}
        failure={failure ?? null}
        ref={field}
        type="text"
        maxLength={200}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        onChange={onChange}
        onKeyDown={event => {
          if (event.key === 'Enter') onLeave(value)
        }}
      />
      {failure && onRetry && (
        <button type="button" className="link-button plain accent" onClick={onRetry}>
          {t('try-again')}
        </button>
      )}
      <div className="above-8 wrap gap-8" role="group" aria-label={t('format-variables')}>
        {variables[name].map(variable => (
          <button
            key={variable}
            type="button"
            className="format-variable hovers plain rigid muted"
            onClick={() => insert(variable)}
          >
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
