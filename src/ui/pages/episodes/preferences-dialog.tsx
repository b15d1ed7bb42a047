import { useTranslation } from 'react-i18next'
import type { PreferredForm } from '../../../shared/api/playables'
import type { KnownPodcast } from '../../../shared/api/podcast'
import type { Preferences } from '../../../shared/api/settings'
import { preferredForms, queuePlaces } from '../../../shared/choices'
import { ratesWith } from '../../../shared/limits'
import { useApp } from '../../app-context'
import { Dialog } from '../../components/dialog'
import { formatRate } from '../../format'
import { useFailureNotice } from '../../library/forms/form-dialog'
import { type NumberBounds, NumberRow, parse } from '../../library/forms/number-row'
import { SettingChoice, SettingGroup, SettingSwitch } from '../../library/forms/setting-row'
import { useInstantEdits } from '../../library/forms/use-instant-edits'
import { useResource } from '../../use-resource'

type Props = { podcast: KnownPodcast; onClose: () => void }

/** A user's own choices for a podcast: how it plays, and how its new episodes arrive. Each is saved at once. */
export function PreferencesDialog({ podcast, onClose }: Props) {
  const { api } = useApp()
  const { t } = useTranslation()
  const { data, error } = useResource((_, id: string) => api.podcasts.preferences(id), [podcast.id])
  useFailureNotice(error, onClose)
  return (
    data && (
      <Dialog title={t('preferences-of', { name: podcast.name })} onClose={onClose}>
        {() => <PreferenceRows podcast={podcast} saved={data} />}
      </Dialog>
    )
  )
}

const bounds = {
  boost: { min: 0, max: 300, isOptional: true },
  skipIntro: { min: 0, max: 600 },
  skipOutro: { min: 0, max: 600 },
  queueMost: { min: 1, max: 100 },
} satisfies Record<string, NumberBounds>
type NumberName = keyof typeof bounds
const isNumber = (name: string): name is NumberName => name in bounds
const forms = ['', ...preferredForms] as const
const places = ['', ...queuePlaces] as const
const placeWords = { '': 'queue-new-off', front: 'queue-new-front', end: 'queue-new-end' } as const
const switches = ['', 'on', 'off'] as const
type Switch = (typeof switches)[number]
const switchOf = (isOn: boolean | null): Switch => (isOn === null ? '' : isOn ? 'on' : 'off')
const flagOf = (bell: Switch) => (bell === '' ? null : bell === 'on')
const bellWords = { '': 'notify-usual', on: 'notify-on', off: 'notify-off' } as const

function PreferenceRows({ podcast, saved }: { podcast: KnownPodcast; saved: Preferences }) {
  const { t } = useTranslation()
  const edited = usePreferences(podcast.id, saved)
  const { values, change, failureOf, numberOf } = edited
  const { form, queueNew, notify } = values
  return (
    <>
      <SettingGroup title={t('settings-playback')}>
        <SpeedRows {...edited} />
        <NumberRow label={t('volume')} help={t('volume-boost-help')} unit="%" {...numberOf('boost')} />
        <NumberRow
          label={t('skipIntro')}
          help={t('skipIntro-help')}
          unit={t('unit-seconds')}
          {...numberOf('skipIntro')}
        />
        <NumberRow
          label={t('skipOutro')}
          help={t('skipOutro-help')}
          unit={t('unit-seconds')}
          {...numberOf('skipOutro')}
        />
        <SettingSwitch
          label={t('skipMarked')}
          help={t('skipMarked-help')}
          isOn={values.skipMarked}
          onChange={skipMarked => change({ skipMarked })}
          {...failureOf('skipMarked')}
        />
        <SettingChoice
          label={t('preferred-form')}
          help={t('preferred-form-help')}
          value={form ?? ''}
          options={forms}
          textOf={choice => t(`form-${choice || 'main'}`)}
          onChange={choice => change({ form: (choice || null) as PreferredForm | null })}
          {...failureOf('form')}
        />
      </SettingGroup>
      <SettingGroup title={t('new-episodes')}>
        <SettingChoice
          label={t('queue-new')}
          help={t('queue-new-help')}
          value={queueNew ?? ''}
          options={places}
          textOf={place => t(placeWords[place])}
          onChange={place => change({ queueNew: place || null })}
          {...failureOf('queueNew')}
        />
        {queueNew && (
          <NumberRow label={t('queue-most')} help={t('queue-most-help')} unit="" {...numberOf('queueMost')} />
        )}
        <SettingChoice
          label={t('notify-new')}
          help={t('notify-new-help')}
          value={switchOf(notify)}
          options={switches}
          textOf={bell => t(bellWords[bell])}
          onChange={bell => change({ notify: flagOf(bell) })}
          {...failureOf('notify')}
        />
        <SettingSwitch
          label={t('in-timeline')}
          help={t('in-timeline-help')}
          isOn={values.inTimeline}
          onChange={inTimeline => change({ inTimeline })}
          {...failureOf('inTimeline')}
        />
      </SettingGroup>
    </>
  )
}

function SpeedRows({ values, change, failureOf }: ReturnType<typeof usePreferences>) {
  const { player } = useApp()
  const { t } = useTranslation()
  const { speed, skipSilence } = values
  return (
    <>
      <SettingChoice
        label={t('speed')}
        value={String(speed ?? '')}
        options={['', ...ratesWith(speed ?? 1).map(String)]}
        textOf={rate =>
          rate === '' ? t('default-of', { value: formatRate(player.usualRate.peek()) }) : formatRate(Number(rate))
        }
        onChange={rate => change({ speed: rate === '' ? null : Number(rate) })}
        {...failureOf('speed')}
      />
      <SettingChoice
        label={t('skip-silence')}
        value={switchOf(skipSilence)}
        options={switches}
        textOf={choice =>
          choice === ''
            ? t('default-of', { value: t(player.usualSilence.peek() ? 'setting-is-on' : 'setting-is-off') })
            : t(bellWords[choice])
        }
        onChange={choice => change({ skipSilence: flagOf(choice) })}
        {...failureOf('skipSilence')}
      />
    </>
  )
}

function usePreferences(podcastId: string, saved: Preferences) {
  const { api, player } = useApp()
  const draftOf = (name: string) => `preferences.${podcastId}.${name}`
  const { values, change, failureOf } = useInstantEdits(saved, {
    save: edit => api.podcasts.editPreferences(podcastId, edit),
    onSaved: preferences => player.preferred(podcastId, preferences),
    draftOf,
    read: (text, name) => (isNumber(name) ? parse(text, bounds[name]) : undefined),
  })
  return {
    values,
    change,
    failureOf,
    numberOf: (name: NumberName) => ({
      draft: draftOf(name),
      bounds: bounds[name],
      value: values[name],
      onChange: (value: number | null) => change({ [name]: value }),
      ...failureOf(name),
    }),
  }
}
