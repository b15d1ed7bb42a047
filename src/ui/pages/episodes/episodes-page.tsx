import { useSignals } from '@preact/signals-react/runtime'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearch } from 'wouter'
import { ApiError } from '../../api/client'
import { useApp } from '../../app-context'
import { lazily } from '../../components/lazily'
import { Failed } from '../../components/states'
import { useResource } from '../../use-resource'
import { EpisodesSection } from './episodes-section'
import { PodcastHeader } from './podcast-header'
import './episodes-page.css'

const NotFound = lazily(async () => (await import('../../library/not-found')).NotFound)

/** A podcast and its episodes. `eid`: the episode that is opened and scrolled to. */
export function EpisodesPage({ podcastId, eid }: { podcastId: string; eid: string | null }) {
  useSignals()
  const { library } = useApp()
  const { t } = useTranslation()
  const details = useDetails(podcastId)
  const target = useTarget(podcastId, eid)
  const moment = readMoment(useSearch())
  const podcast = library.byId.value.get(podcastId) ?? details.data

  if (!podcast && isNotFound(details.error)) return <NotFound what="podcast" />
  if (target.isMissing) return <NotFound what="episode" podcastId={podcastId} />
  if (!podcast && details.error !== null) return <Failed error={details.error} onRetry={() => void details.retry()} />
  if (!podcast) return <p role="status" aria-busy="true" aria-label={t('loading')} />
  return (
    <>
      <PodcastHeader podcast={podcast} extras={details.data?.extras ?? null} />
      <EpisodesSection podcast={podcast} targetId={target.id} moment={moment} />
    </>
  )
}

/** Loads the podcast with what the library does not hold, and again once the server is back. */
function useDetails(podcastId: string) {
  useSignals()
  const { api, isConnected } = useApp()
  const details = useResource((_, id: string) => api.podcasts.find(id), [podcastId])
  const { retry } = details
  const isOnline = isConnected.value
  const wasOffline = useRef(false)
  useEffect(() => {
    if (isOnline && wasOffline.current) void retry()
    wasOffline.current = !isOnline
  }, [isOnline, retry])
  return details
}

/** Finds the episode of the address. `isMissing`: there is none, or it belongs to another podcast. */
function useTarget(podcastId: string, eid: string | null) {
  const { api } = useApp()
  const { data, error, isStale } = useResource(
    async (_, wanted: string | null) => (wanted === null ? null : api.episodes.find(wanted)),
    [eid],
  )
  const episode = isStale ? null : data?.podcastEpisode
  const isForeign = episode != null && episode.podcast_id !== podcastId
  return { id: isForeign ? null : (episode?.id ?? null), isMissing: isForeign || isNotFound(error) }
}

/** The second that the address points to; null without one. */
function readMoment(search: string): number | null {
  const text = new URLSearchParams(search).get('t') ?? ''
  return /^\d{1,6}$/.test(text) ? Number(text) : null
}

const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404
