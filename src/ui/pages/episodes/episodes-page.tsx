import { useSignals } from '@preact/signals-react/runtime'
import { ListChecks } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { PodcastWithExtras } from '../../../shared/api/podcast'
import { ApiError } from '../../api/client'
import { useApp } from '../../app-state'
import { EpisodeList } from '../../components/episodes/episode-list'
import { useEpisodeList } from '../../components/episodes/use-episode-list'
import { FilterChip } from '../../components/filter-chip'
import { Empty, Failed } from '../../components/states'
import { NotFoundPage } from '../not-found/not-found-page'
import { PodcastHeader } from './podcast-header'
import './episodes-page.css'

/** A podcast: what it is, and its episodes, as many as there are. */
export function EpisodesPage({ podcastId, eid }: { podcastId: string; eid: string | null }) {
  useSignals()
  const { api, changes, library, failed, toasts, isConnected } = useApp()
  const { t } = useTranslation()
  const [details, setDetails] = useState<PodcastWithExtras | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [unlistened, setUnlistened] = useState(false)
  const [order, setOrder] = useState<'newest' | 'oldest'>('newest')
  const [target, setTarget] = useState<EpisodeWrapper | null>(null)

  const loadPage = useCallback(
    async (cursor: string | null) => {
      const { data, nextCursor } = await api.podcasts.episodes(podcastId, { unlistened, order, limit: 50 }, cursor)
      return { items: data, next: nextCursor }
    },
    [api, podcastId, unlistened, order],
  )
  const list = useEpisodeList(changes, podcastId, loadPage)
  const load = useCallback(() => {
    setError(null)
    api.podcasts.find(podcastId).then(setDetails, setError)
  }, [api, podcastId])
  const isOnline = isConnected.value
  useEffect(() => {
    if (isOnline) load()
  }, [load, isOnline])
  useEffect(() => {
    if (eid) api.episodes.find(eid).then(setTarget, () => setTarget(null))
    else setTarget(null)
  }, [eid, api])

  async function markOlder(wrapper: EpisodeWrapper) {
    try {
      const { affected } = await api.podcasts.markListened(podcastId, {
        until: wrapper.podcastEpisode.id,
        finished: true,
      })
      toasts.done(t('marked-count-played', { count: affected }))
      void list.reload()
      void library.load()
    } catch (failure) {
      failed(failure)
    }
  }

  const podcast = library.byId.value.get(podcastId) ?? details
  if (!podcast && error instanceof ApiError && error.status === 404) return <NotFoundPage />
  if (!podcast && error) return <Failed error={error} onRetry={load} />
  if (!podcast) return <p aria-busy="true" aria-label={t('loading')} />
  return (
    <>
      <PodcastHeader podcast={podcast} extras={details?.extras ?? null} />
      <div className="episodes-tools">
        <h2>{t('episodes-count', { count: podcast.episode_count })}</h2>
        <FilterChip label={t('not-played-yet')} isOn={unlistened} onToggle={setUnlistened} />
        <FilterChip
          label={t('oldest-first')}
          isOn={order === 'oldest'}
          onToggle={isOn => setOrder(isOn ? 'oldest' : 'newest')}
        />
      </div>
      <EpisodeList
        key={target?.podcastEpisode.id ?? 'all'}
        list={list}
        podcastNameOf={() => podcast.name}
        openAtStart={target?.podcastEpisode.id ?? null}
        moreOf={wrapper => [
          { icon: ListChecks, label: t('mark-older-played'), onSelect: () => void markOlder(wrapper) },
        ]}
        empty={<Empty>{unlistened ? t('all-episodes-played') : t('no-episodes-yet')}</Empty>}
      />
    </>
  )
}
