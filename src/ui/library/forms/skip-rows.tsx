import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import type { SkipLengths } from '../../../shared/api/user'
import { nextKeys } from '../../../shared/choices'
import { skipSeconds } from '../../../shared/limits'
import { useApp } from '../../app-context'
import { formatSpan } from '../../format-facts'
import { SettingChoice, SettingSwitch, useSetting } from './setting-row'

/** The lengths of the two skip buttons, the "next" key, and the rewind after a pause. */
export function SkipRows() {
  useSignals()
  const { skipLengths } = useApp()
  const { t } = useTranslation()
  const lengths = skipLengths.lengths.value
  const save = (edit: Partial<SkipLengths>) => skipLengths.set({ ...skipLengths.lengths.peek(), ...edit })
  const back = useSetting(lengths.back, value => save({ back: value }))
  const forward = useSetting(lengths.forward, value => save({ forward: value }))
  const nextKey = useSetting(lengths.nextKey ?? 'episode', value => save({ nextKey: value }))
  const { value: rewinds, ...rewind } = useSetting(lengths.rewind ?? true, value => save({ rewind: value }))
  return (
    <>
      <SettingChoice
        label={t('setting-skipBack')}
        help={t('one-key-or-other', { one: 'J', other: '←' })}
        options={skipSeconds}
        textOf={formatSpan}
        isStepped
        {...back}
      />
      <SettingChoice
        label={t('setting-skipForward')}
        help={t('one-key-or-other', { one: 'L', other: '→' })}
        options={skipSeconds}
        textOf={formatSpan}
        isStepped
        {...forward}
      />
      <SettingChoice
        label={t('next-key')}
        help={t('next-key-help')}
        options={nextKeys}
        textOf={key => (key === 'forward' ? t('skip-forward', { seconds: forward.value }) : t('next-key-episode'))}
        {...nextKey}
      />
      <SettingSwitch label={t('setting-rewind')} help={t('setting-rewind-help')} isOn={rewinds} {...rewind} />
    </>
  )
}

/** Whether episodes are brought to one loudness. */
export function LevelRow() {
  useSignals()
  const { skipLengths } = useApp()
  const { t } = useTranslation()
  const { value, ...level } = useSetting(skipLengths.lengths.value.levelVolume ?? false, levelVolume =>
    skipLengths.set({ ...skipLengths.lengths.peek(), levelVolume }),
  )
  return <SettingSwitch label={t('level-volume')} help={t('level-volume-help')} isOn={value} {...level} />
}
