import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { MAX_RATE, MIN_RATE, RATE_STEPS } from '../../shared/limits'
import { callsOf } from '../api/calls'
import { useApp } from '../app-context'
import { Dialog } from '../components/dialog'
import { formatMinutes, formatRate } from '../format'
import { SettingChoice, SettingGroup, SettingSwitch } from '../library/forms/setting-row'
import { LevelRow } from '../library/forms/skip-rows'
import { canShapeSound } from '../playback/shaper'
import { useResource } from '../use-resource'
import { useIsRemote } from './buttons'

/** The speeds between those of the menu, and whether the sound is that of the podcast that plays alone. */
export function SoundDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('speed')} onClose={onClose}>
      {() => <SoundRows />}
    </Dialog>
  )
}

const steps = Array.from({ length: (MAX_RATE - MIN_RATE) * RATE_STEPS + 1 }, (_, step) => MIN_RATE + step / RATE_STEPS)

function SoundRows() {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const isRemote = useIsRemote()
  const name = player.current.value?.podcastName ?? ''
  const rate = player.rate.value
  return (
    <>
      <SettingGroup>
        <SettingChoice
          label={t('speed')}
          value={rate}
          options={[...new Set([...steps, rate])].toSorted((one, other) => one - other)}
          textOf={formatRate}
          isStepped
          onChange={player.setRate}
        />
        {canShapeSound() && !isRemote && (
          <SettingSwitch
            label={t('skip-silence')}
            help={t('setting-skipSilence-help')}
            isOn={player.skipsSilence.value}
            onChange={player.toggleSkipSilence}
          />
        )}
        {canShapeSound() && <LevelRow />}
        <SettingSwitch
          label={t('only-this-podcast')}
          help={t(player.isOwnSound.value ? 'only-this-podcast-on' : 'only-this-podcast-off', { name })}
          isOn={player.isOwnSound.value}
          onChange={player.setOwnSound}
        />
      </SettingGroup>
      <SavedToday />
    </>
  )
}

/** The minutes that speed and trimmed silence saved today, in all podcasts. Absent while there are none. */
function SavedToday() {
  const { client } = useApp()
  const { t } = useTranslation()
  const { data } = useResource(() => {
    const tz = Intl.DateTimeFormat().resolvedOptions().timeZone
    const from = new Date(new Date().setHours(0, 0, 0, 0)).toISOString()
    return callsOf(client).get('/stats/overview')({ from, tz, topLimit: 1 })
  }, [])
  const seconds = data ? Math.floor((data.savedSeconds + data.trimmedSeconds) / 60) * 60 : 0
  return seconds > 0 && <p className="fine muted numbers">{t('saved-today', { time: formatMinutes(seconds) })}</p>
}
