import { useSignals } from '@preact/signals-react/runtime'
import { Check, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import type { KnownPodcast } from '../../../shared/api/podcast'
import type { Adding } from '../../api'
import { ApiError } from '../../api/client'
import type { DirectoryHit } from '../../api/directory'
import { type AppState, useApp } from '../../app-context'
import { BusyButton } from '../../components/buttons'
import { useAction } from '../../components/use-action'
import { describeFailure } from '../../failure'
import { translate } from '../../i18n'
import { routes } from '../../routes'
import './adding.css'

/** Adds a podcast from a directory in place; once it is added, a link to it. */
export function AddInPlace({ hit }: { hit: DirectoryHit }) {
  useSignals()
  const { addPodcast, toasts } = useApp()
  const { t } = useTranslation()
  const [podcastId, setPodcastId] = useState(hit.podcastId)
  const adding = useAdding({ isInPlace: true, onAdded: podcast => setPodcastId(podcast.id) })
  const { failure, reason } = adding
  useEffect(() => {
    // There it can be tried with another user agent.
    if (isRefused(failure)) addPodcast.open(hit.feedUrl)
    else if (reason !== null) toasts.failed(reason)
  }, [addPodcast, failure, hit.feedUrl, reason, toasts])

  if (podcastId !== null)
    return (
      <Link
        className="secondary small with-icon add-in-place rigid centred shaded rounded nowrap undecorated positive"
        href={routes.episodes(podcastId)}
        aria-label={t('added-named', { name: hit.title })}
      >
        <Check size={16} aria-hidden="true" />
        <span>{t('added')}</span>
      </Link>
    )
  return (
    <BusyButton
      className="secondary small with-icon add-in-place rigid centred shaded rounded nowrap undecorated"
      isBusy={adding.isBusy}
      aria-label={t('add-named', { name: hit.title })}
      onClick={() => adding.run(hit.feedUrl)}
    >
      {!adding.isBusy && <Plus size={16} aria-hidden="true" />}
      <span>{t('add')}</span>
    </BusyButton>
  )
}

class MissingAddress extends Error {}

/**
 * An action that adds the podcast at an address. `onAdded` runs after it, then the podcast's page opens unless it is to be added in place.
 */
export function useAdding({
  isInPlace = false,
  onAdded,
}: { isInPlace?: boolean; onAdded?: (podcast: KnownPodcast) => void } = {}) {
  const app = useApp()
  const { library, toasts } = app
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const { failure, ...adding } = useAction(async (wanted: string, options: Adding = {}) => {
    if (wanted === '') throw new MissingAddress()
    const podcast = await library.add(wanted, options)
    toasts.done(t(podcast.episode_count === 0 ? 'podcast-added-empty' : 'podcast-added', { name: podcast.name }))
    await continueSample(app, podcast, wanted).catch(() => undefined)
    onAdded?.(podcast)
    if (!isInPlace) navigate(routes.episodes(podcast.id))
  })
  return {
    ...adding,
    failure,
    reason: failure === null ? null : reasonOf(failure),
  }
}

/** Plays on, as an episode of the podcast at this address, what was heard of it before it was added. */
async function continueSample({ api, player, sample, failed }: AppState, podcast: KnownPodcast, address: string) {
  const heard = sample.peek()
  if (!heard || ![address, podcast.rssfeed].includes(heard.hit.feedUrl)) return
  const { data } = await api.podcasts.episodes(podcast.id, {}, null)
  const found = data.find(({ podcastEpisode }) => podcastEpisode.name === heard.name)
  // It may have been stopped, or something else may play, since then.
  if (found && sample.peek() === heard) void player.playAt(found, podcast.name, heard.second()).catch(failed)
}

const isCode = (failure: unknown, code: string) => failure instanceof ApiError && failure.code === code

/** Whether a host refused Castellan by its name, so that a browser's may help. */
export const isRefused = (failure: unknown) => isCode(failure, 'feed-refused')

/** Says why an address cannot be added, and what to do. */
export function reasonOf(failure: unknown): string {
  const isInvalid = failure instanceof MissingAddress || isCode(failure, 'invalid-field')
  return isInvalid ? translate('feed-address-invalid') : describeFailure(failure)
}
