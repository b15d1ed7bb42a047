import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { continuations } from '../../../shared/choices'
import { playbackRates } from '../../../shared/limits'
import { useApp } from '../../app-context'
import { SettingChoice, useSetting } from '../../library/forms/setting-choice'
import { SettingGroup, SettingSwitch } from '../../library/forms/setting-row'
import { SkipRows } from '../../library/forms/skip-rows'
import { canSetVolume, canShapeSound, maxVolume } from '../../playback/shaper'
import { useQueues } from '../../player/queue-actions'

/** A listener's way of playing, on every device and on this one. */
export function PlaybackTab() {
  const { t } = useTranslation()
  return (
    <>
      <SettingGroup title={t('on-every-device')}>
        <SkipRows />
      </SettingGroup>
      <SettingGroup title={t('on-this-device')}>
        <DeviceRows />
      </SettingGroup>
    </>
  )
}

/** How episodes reach the queue, and what follows it. */
export function NewEpisodesTab() {
  return (
    <SettingGroup>
      <AfterTheQueue />
    </SettingGroup>
  )
}

const STEP = 10

function DeviceRows() {
  useSignals()
  const { player, singleKeys } = useApp()
  const { t } = useTranslation()
  const rate = player.usualRate.value
  const volume = player.usualVolume.value
  const volumes = Array.from({ length: maxVolume() / STEP + 1 }, (_, index) => index * STEP)
  return (
    <>
      <SettingChoice
        label={t('speed')}
        help={t('setting-speed-help')}
        value={rate}
        options={playbackRates}
        textOf={speed => `${speed}×`}
        onChange={player.setUsualRate}
      />
      {canShapeSound() && (
        <SettingSwitch
          label={t('skip-silence')}
          help={t('setting-skipSilence-help')}
          isOn={player.skipsSilence.value}
          onChange={player.toggleSkipSilence}
        />
      )}
      {canSetVolume() && (
        <SettingChoice
          label={t('volume')}
          help={t('setting-volume-help')}
          value={volume}
          options={[...new Set([...volumes, volume])].toSorted((one, other) => one - other)}
          textOf={percent => `${percent} %`}
          isStepped
          onChange={player.setUsualVolume}
        />
      )}
      <SettingSwitch
        label={t('keys-single')}
        help={t('keys-single-help')}
        isOn={singleKeys.areOn.value}
        onChange={singleKeys.choose}
      />
    </>
  )
}

function AfterTheQueue() {
  useSignals()
  const { queue } = useApp()
  const { t } = useTranslation()
  const { setContinueWith } = useQueues()
  const choice = useSetting(queue.continueWith.value, setContinueWith)
  return (
    <SettingChoice
      label={t('after-the-queue')}
      help={t('setting-continue-help')}
      options={continuations}
      textOf={way => t(`continue-${way}`)}
      {...choice}
    />
  )
}
