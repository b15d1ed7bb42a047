import { useSignals } from '@preact/signals-react/runtime'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Settings } from '../../../shared/api/settings'
import { useApp } from '../../app-context'
import { Loaded } from '../../components/loaded'
import { Notice } from '../../components/notice'
import { SettingGroup, SettingSwitch } from '../../library/forms/setting-row'
import { createInstantEdits } from '../../state/instant-edits'
import { useResource } from '../../use-resource'
import { CleanupRow } from './cleanup-row'
import { NumberRow, parse, type NumberBounds } from './number-row'
import { settingFailure, type SettingFailure } from './setting-failure'

const bounds = {
  autoCleanupDays: { min: 1, max: 36_500 },
  podcastPrefill: { min: 0, max: 10_000, all: { value: 10_000, instead: 5 } },
  keepLast: { min: 1, max: 10_000, all: { value: null, instead: 10 } },
  parallelDownloads: { min: 1, max: 50, isOptional: true },
} satisfies Record<string, NumberBounds>
type NumberName = keyof typeof bounds
type SwitchName = 'autoCleanup' | 'autoUpdate' | 'autoDownload' | 'deleteAfterListened' | 'sidecars' | 'writeTags'

/** The settings of downloading and keeping files. Admins change them; others can read them. */
export function RetentionTab() {
  const { api } = useApp()
  const settings = useResource(api.system.settings, [])
  return (
    <Loaded resource={settings} rows={4}>
      {saved => <RetentionSettings settings={saved} onSaved={settings.set} />}
    </Loaded>
  )
}

type Props = { settings: Settings; onSaved: (settings: Settings) => void }

function RetentionSettings({ settings, onSaved }: Props) {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  const { values, failure, change } = useInstantSettings(settings, onSaved)
  const isAdmin = session.isAdmin.value

  const toggle = (name: SwitchName, help?: string) => (
    <SettingSwitch
      label={t(`setting-${name}`)}
      help={help}
      isOn={values[name]}
      onChange={isOn => change({ [name]: isOn })}
    />
  )
  const number = (name: NumberName, placeholder?: string) => (
    <NumberRow
      label={t(`setting-${name}`)}
      help={t(`setting-${name}-help`)}
      unit={t(`setting-${name}-unit`)}
      draft={draftOf(name)}
      bounds={bounds[name]}
      value={values[name]}
      placeholder={placeholder}
      failure={failure?.field === name ? failure.reason : null}
      onChange={value => change({ [name]: value })}
    />
  )
  return (
    <>
      {!isAdmin && <Notice title={t('not-admin')}>{t('settings-for-admins')}</Notice>}
      <fieldset className="settings-fields" disabled={!isAdmin}>
        <SettingGroup title={t('new-episodes')}>
          {toggle('autoUpdate', t('setting-autoUpdate-help'))}
          {toggle('autoDownload')}
          {number('podcastPrefill')}
        </SettingGroup>
        <SettingGroup title={t('downloads')}>
          {number('parallelDownloads', values.parallelDownloads === null ? String(settings.maxParallelDownloads) : '–')}
          {toggle('writeTags', t('setting-writeTags-help'))}
          {toggle('sidecars', t('setting-sidecars-help'))}
        </SettingGroup>
        <SettingGroup title={t('keeping-and-cleaning')}>
          {toggle('autoCleanup')}
          {number('autoCleanupDays')}
          {number('keepLast')}
          {toggle('deleteAfterListened')}
          {isAdmin && <CleanupRow settings={settings} />}
        </SettingGroup>
      </fieldset>
      {isAdmin && (
        <p className="settings-saved muted">
          <Check size={16} aria-hidden="true" />
          {t('saves-by-itself')}
        </p>
      )}
    </>
  )
}

const draftOf = (name: string) => `settings.${name}`

/** The settings with the changes on their way to the server, and the reason why one of them did not arrive. */
function useInstantSettings(settings: Settings, onStored: (settings: Settings) => void) {
  const { api, drafts, toasts, failed } = useApp()
  const { t } = useTranslation()
  const [failure, setFailure] = useState<SettingFailure | null>(null)
  const [edits] = useState(() =>
    createInstantEdits<Settings>(settings, {
      save: api.system.editSettings,
      onSaved(saved, edit) {
        for (const [name, value] of Object.entries(edit)) {
          const text = drafts.all.peek().get(draftOf(name))
          // Typed on since, it stays.
          if (typeof text === 'string' && parse(text, bounds[name as NumberName]) === value)
            drafts.forget(draftOf(name))
        }
        onStored(saved)
        toasts.done(t('settings-saved'))
      },
      onFailed(error) {
        const reason = settingFailure(error)
        if (reason && reason.field in bounds) setFailure(reason)
        else failed(error)
      },
    }),
  )
  function change(edit: Partial<Settings>) {
    setFailure(null)
    edits.change(edit)
  }
  return { values: edits.values.value, failure, change }
}
