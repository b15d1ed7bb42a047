import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { KnownPodcast } from '../../../shared/api/podcast'
import { continuations, queuePlaces } from '../../../shared/choices'
import { ratesWith } from '../../../shared/limits'
import { findOwnPreferences } from '../../api/library'
import { useApp } from '../../app-context'
import { Loaded } from '../../components/states'
import { SettingChoice, SettingGroup, SettingSwitch, useSetting } from '../../library/forms/setting-row'
import { formatRate } from '../../format'
import { LevelRow, SkipRows } from '../../library/forms/skip-rows'
import { canSetVolume, canShapeSound, maxVolume } from '../../playback/shaper'
import { useQueues } from '../../player/queue-actions'
import { describeFailure } from '../../failure'
import { routes } from '../../routes'
import { useResource } from '../../use-resource'

/** A listener's way of playing, on every device and on this one. */
export function PlaybackTab() {
  const { t } = useTranslation()
  return (
    <>
      <SettingGroup title={t('on-every-device')}>
        <SkipRows />
        <LevelRow />
        <SuggestionsRow />
      </SettingGroup>
      <SettingGroup title={t('on-this-device')}>
        <DeviceRows />
      </SettingGroup>
      <OwnSpeeds />
    </>
  )
}

/** Whether the page of playlists shows suggestions, which can be hidden there. */
export function SuggestionsRow() {
  const { api } = useApp()
  const { t } = useTranslation()
  const { data, error, change, retry } = useResource(api.playlists.suggestions, [])
  const shown = useSetting(data?.isShown ?? true, async isShown => {
    await api.playlists.showSuggestions(isShown)
    change(known => ({ ...known, isShown }))
  })
  const { value, onChange, failure, onRetry } = shown
  return (
    <SettingSwitch
      label={t('show-suggestions')}
      help={t('show-suggestions-help')}
      isOn={value}
      isUnknown={data === null}
      onChange={onChange}
      {...(error === null ? { failure, onRetry } : { failure: describeFailure(error), onRetry: retry })}
    />
  )
}

/** How episodes reach the queue, and what follows it. */
export function NewEpisodesTab() {
  useSignals()
  const { client, library } = useApp()
  const { t } = useTranslation()
  const own = useResource(() => findOwnPreferences(client), [])
  const podcasts = library.all.value.toSorted((one, other) => one.name.localeCompare(other.name))
  return (
    <>
      <SettingGroup>
        <AfterTheQueue />
      </SettingGroup>
      {podcasts.length > 0 && (
        <Loaded resource={own} rows={4}>
          {all => {
            const saved = new Map(all.map(({ podcastId, queueNew }) => [podcastId, queueNew]))
            return (
              <SettingGroup title={t('queue-new')}>
                {podcasts.map(podcast => (
                  <QueueNew key={podcast.id} podcast={podcast} saved={saved.get(podcast.id) ?? ''} />
                ))}
              </SettingGroup>
            )
          }}
        </Loaded>
      )}
    </>
  )
}

const places = ['', ...queuePlaces] as const
const placeWords = { '': 'queue-new-off', front: 'queue-new-front', end: 'queue-new-end' } as const
type Place = (typeof places)[number]

/** Place at which new episodes of a podcast enter the queue. */
function QueueNew({ podcast: { id, name }, saved }: { podcast: KnownPodcast; saved: Place }) {
  const { api } = useApp()
  const { t } = useTranslation()
  const [kept, setKept] = useState<Place>(saved)
  const place = useSetting(kept, async value => {
    await api.podcasts.editPreferences(id, { queueNew: value || null })
    setKept(value)
  })
  return <SettingChoice label={name} options={places} textOf={value => t(placeWords[value])} {...place} />
}

/** The podcasts that have their own sound, with links to their pages. */
function OwnSpeeds() {
  useSignals()
  const { api, client, failed, library, player } = useApp()
  const { t } = useTranslation()
  const { data, retry } = useResource(() => findOwnPreferences(client), [])
  const podcasts = (data ?? []).flatMap(own => {
    const podcast = library.byId.value.get(own.podcastId)
    return podcast && (own.speed ?? own.skipSilence) !== null ? [{ ...own, name: podcast.name }] : []
  })
  if (podcasts.length === 0) return null
  async function reset(id: string) {
    player.preferred(id, await api.podcasts.editPreferences(id, { speed: null, boost: null, skipSilence: null }))
    await retry()
  }
  return (
    <details className="own-speeds text-s">
      <summary>{t('own-speeds', { count: podcasts.length })}</summary>
      <ul>
        {podcasts.map(({ podcastId: id, name, speed, skipSilence }) => (
          <li key={id}>
            <Link href={routes.episodes(id)}>
              <bdi>{name}</bdi>
            </Link>{' '}
            <span className="muted numbers">
              {[speed && formatRate(speed), skipSilence && t('skip-silence')].filter(Boolean).join(' · ')}
            </span>{' '}
            <button
              type="button"
              className="link-button plain accent"
              aria-label={t('reset-sound-of', { name })}
              onClick={() => void reset(id).catch(failed)}
            >
              {t('reset-sound')}
            </button>
          </li>
        ))}
      </ul>
    </details>
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
        options={ratesWith(rate)}
        textOf={formatRate}
        onChange={player.setUsualRate}
        onReset={rate === 1 ? null : () => player.setUsualRate(1)}
      />
      {canShapeSound() && (
        <SettingSwitch
          label={t('skip-silence')}
          help={t('setting-skipSilence-help')}
          isOn={player.usualSilence.value}
          onChange={player.toggleUsualSilence}
          onReset={player.usualSilence.value ? player.toggleUsualSilence : null}
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
          onReset={volume === 100 ? null : () => player.setUsualVolume(100)}
        />
      )}
      <SettingSwitch
        label={t('loads-ahead')}
        help={t('loads-ahead-help')}
        isOn={player.loadsAhead.value}
        onChange={player.toggleLoadsAhead}
        onReset={player.loadsAhead.value ? null : player.toggleLoadsAhead}
      />
      <SettingSwitch
        label={t('keys-single')}
        help={t('keys-single-help')}
        isOn={singleKeys.areOn.value}
        onChange={singleKeys.choose}
        onReset={singleKeys.areOn.value ? null : () => singleKeys.choose(true)}
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
