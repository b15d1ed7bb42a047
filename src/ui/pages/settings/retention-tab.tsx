import { useSignals } from '@preact/signals-react/runtime'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Cleanup, Settings } from '../../../shared/api/settings'
import { useApp } from '../../app-context'
import { BusyButton } from '../../components/buttons'
import { Loaded } from '../../components/states'
import { useAction } from '../../components/use-action'
import { formatBytes } from '../../format-facts'
import { FormDialog } from '../../library/forms/form-dialog'
import { type NumberBounds, NumberRow, parse } from '../../library/forms/number-row'
import { SettingGroup, SettingSwitch } from '../../library/forms/setting-row'
import { useInstantEdits } from '../../library/forms/use-instant-edits'
import { useResource } from '../../use-resource'

const bounds = {
  autoCleanupDays: { min: 1, max: 36_500 },
  podcastPrefill: { min: 0, max: 10_000, all: { value: 10_000, instead: 5 } },
  keepLast: { min: 1, max: 10_000, all: { value: null, instead: 10 } },
  parallelDownloads: { min: 1, max: 50, isOptional: true },
} satisfies Record<string, NumberBounds>
type NumberName = keyof typeof bounds
const isNumber = (name: string): name is NumberName => name in bounds
type SwitchName = 'autoCleanup' | 'autoUpdate' | 'autoDownload' | 'deleteAfterListened' | 'sidecars' | 'writeTags'

const draftOf = (name: string) => `settings.${name}`

/** The settings of downloading and keeping files. */
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
  const { t } = useTranslation()
  const { api } = useApp()
  const { values, change, failureOf } = useInstantEdits(settings, {
    save: api.system.editSettings,
    onSaved,
    draftOf,
    read: (text, name) => (isNumber(name) ? parse(text, bounds[name]) : undefined),
  })

  const toggle = (name: SwitchName, help?: string) => (
    <SettingSwitch
      label={t(`setting-${name}`)}
      help={help}
      isOn={values[name]}
      onChange={isOn => change({ [name]: isOn })}
      {...failureOf(name)}
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
      onChange={value => change({ [name]: value })}
      {...failureOf(name)}
    />
  )
  return (
    <>
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
        <CleanupRow settings={settings} />
      </SettingGroup>
      <p className="settings-saved row gap-6 muted">
        <Check size={16} aria-hidden="true" />
        {t('saves-by-itself')}
      </p>
    </>
  )
}

/** Deletes the files that the settings no longer keep, after showing which those are. */
function CleanupRow({ settings }: { settings: Settings }) {
  const { api, toasts, failed } = useApp()
  const { t } = useTranslation()
  const [plan, setPlan] = useState<Cleanup | null>(null)
  // Every change of the settings may change which files would be deleted.
  const outlook = useResource((_signal, _given: Settings) => api.system.cleanup(), [settings])
  const planning = useAction(async () => {
    const found = await api.system.cleanup()
    if (found.total === 0) toasts.done(t('nothing-to-clean'))
    else setPlan(found)
  }, failed)
  const { data } = outlook
  return (
    <div className="setting-row gap-8 x-16 relative wrap row">
      <div className="setting-name shrinks breaks stack">
        <b className="title numbers" role="status">
          {data && data.total > 0
            ? t('cleanup-would-go', { count: data.total, size: formatBytes(data.freedBytes) })
            : t('cleanup')}
        </b>
        <small className="fine faint">{t('cleanup-text')}</small>
      </div>
      <BusyButton className="secondary" isBusy={planning.isBusy} onClick={() => planning.run()}>
        {t('run-cleanup')}
      </BusyButton>
      {plan && (
        <CleanupDialog
          plan={plan}
          onClose={() => {
            setPlan(null)
            void outlook.retry()
          }}
        />
      )}
    </div>
  )
}

function CleanupDialog({ plan, onClose }: { plan: Cleanup; onClose: () => void }) {
  const { api, toasts } = useApp()
  const { t } = useTranslation()
  async function cleanUp() {
    const { affected, freedBytes } = await api.system.runCleanup()
    toasts.done(t('cleaned-up', { count: affected, size: formatBytes(freedBytes) }))
  }
  return (
    <FormDialog
      isDanger
      title={t('cleanup-title')}
      action={t('delete-files', { count: plan.total, size: formatBytes(plan.freedBytes) })}
      onSubmit={cleanUp}
      onClose={onClose}
    >
      <ul className="plan-list ruled cleanup-list scroll-list scrolls">
        {plan.episodes.map(episode => (
          <li className="stack breaks" key={episode.id}>
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
  )
}
