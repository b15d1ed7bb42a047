import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import type { Settings, SettingsEdit } from '../../../shared/api/settings'
import { useApp } from '../../app-context'
import { Switch } from '../../components/switch'
import { TextField } from '../../components/text-field'
import { useAction } from '../../components/use-action'
import { useDraft } from '../../library/forms/use-draft'
import { settingFailure } from './setting-failure'
import { SettingsForm } from './settings-form'

const bounds = {
  autoCleanupDays: { min: 1, max: 36_500 },
  podcastPrefill: { min: 0, max: 10_000 },
  keepLast: { min: 1, max: 10_000 },
}
type NumberName = keyof typeof bounds
type SwitchName = 'autoCleanup' | 'autoUpdate' | 'autoDownload' | 'deleteAfterListened'

/** Numbers are texts until they are saved, so that a field can be empty. */
type Fields = Record<SwitchName, boolean> & Record<NumberName, string>

/** The settings of refreshing, downloading and cleaning up. */
export function RetentionForm({ settings, onSaved }: { settings: Settings; onSaved: (settings: Settings) => void }) {
  useSignals()
  const { api, session, toasts } = useApp()
  const { t } = useTranslation()
  const { value: fields, change, forget, isChanged } = useDraft('retention', fieldsOf(settings))
  const saving = useAction(async () => {
    onSaved(await api.system.editSettings(editOf(fields)))
    forget()
    toasts.done(t('settings-saved'))
  })
  const failure = settingFailure(saving.failure)
  const isOfField = failure !== null && isNumberName(failure.field)

  const toggle = (name: SwitchName) => (
    <Switch label={t(`setting-${name}`)} isOn={fields[name]} onChange={isOn => change({ ...fields, [name]: isOn })} />
  )
  const number = (name: NumberName, { isOptional = false } = {}) => (
    <TextField
      label={t(`setting-${name}`)}
      help={t(`setting-${name}-help`)}
      failure={failure?.field === name ? t('whole-number', bounds[name]) : null}
      {...bounds[name]}
      type="number"
      inputMode="numeric"
      step={1}
      required={!isOptional}
      value={fields[name]}
      onChange={text => change({ ...fields, [name]: text })}
    />
  )
  return (
    <SettingsForm
      isAdmin={session.isAdmin.value}
      isBusy={saving.isBusy}
      isChanged={isChanged}
      failure={failure && !isOfField ? failure.reason : null}
      onSave={() => saving.run()}
      onDiscard={forget}
    >
      {toggle('autoUpdate')}
      {toggle('autoDownload')}
      {number('podcastPrefill')}
      {toggle('autoCleanup')}
      {number('autoCleanupDays')}
      {number('keepLast', { isOptional: true })}
      {toggle('deleteAfterListened')}
    </SettingsForm>
  )
}

const isNumberName = (name: string): name is NumberName => name in bounds

const fieldsOf = (settings: Settings): Fields => ({
  autoCleanup: settings.autoCleanup,
  autoUpdate: settings.autoUpdate,
  autoDownload: settings.autoDownload,
  deleteAfterListened: settings.deleteAfterListened,
  autoCleanupDays: String(settings.autoCleanupDays),
  podcastPrefill: String(settings.podcastPrefill),
  keepLast: settings.keepLast === null ? '' : String(settings.keepLast),
})

const editOf = ({ autoCleanupDays, podcastPrefill, keepLast, ...switches }: Fields): SettingsEdit => ({
  ...switches,
  autoCleanupDays: Number.parseInt(autoCleanupDays, 10),
  podcastPrefill: Number.parseInt(podcastPrefill, 10),
  keepLast: keepLast.trim() === '' ? null : Number.parseInt(keepLast, 10),
})
