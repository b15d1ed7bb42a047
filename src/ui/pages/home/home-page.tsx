import { useSignals } from '@preact/signals-react/runtime'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { EpisodeList } from '../../library/episodes/episode-list'
import { useEpisodeList } from '../../library/episodes/use-episode-list'
import { usePodcastNames } from '../../library/episodes/use-podcast-names'
import { Empty, Failed, Skeleton } from '../../components/states'
import { routes } from '../../routes'
import { EmptyLibrary } from '../podcasts/empty-library'
import { ContinueCard } from './continue-card'
import { HomeHeader } from './home-header'
import './home-page.css'

/** What was begun, and what is new. */
export function HomePage() {
  useSignals()
  const { api, library } = useApp()
  const { t } = useTranslation()
  const [begun, setBegun] = useState<readonly EpisodeWrapper[] | null>(null)
  const { meet, nameOf } = usePodcastNames()
  const loadNewest = useCallback(async () => {
    const { data } = await api.timeline.page({ limit: 12 }, null)
    data.data.forEach(({ podcast }) => meet(podcast))
    return {
      items: data.data.map(({ podcast_episode, history }) => ({
        podcastEpisode: podcast_episode,
        podcastHistoryItem: history,
      })),
      next: null,
    }
  }, [api, meet])
  const newest = useEpisodeList(null, loadNewest)
  useEffect(() => {
    let isShown = true
    void api.playback.lastWatched(12).then(
      found => {
        if (!isShown) return
        found.forEach(({ podcast }) => meet(podcast))
        setBegun(found.map(({ podcastEpisode, episode }) => ({ podcastEpisode, podcastHistoryItem: episode })))
      },
      () => isShown && setBegun([]),
    )
    return () => {
      isShown = false
    }
  }, [api, meet])

  if (library.isEmpty.value)
    return (
      <>
        <HomeHeader current={routes.home} />
        <EmptyLibrary />
      </>
    )
  if (library.status.value === 'failed')
    return <Failed error={library.error.value} onRetry={() => void library.load()} />
  // What is new stands below what was begun, and would be pushed down by it.
  if (!begun)
    return (
      <>
        <HomeHeader current={routes.home} />
        <Skeleton kind="row" count={8} />
      </>
    )
  return (
    <>
      <HomeHeader current={routes.home} />
      {begun.length > 0 && (
        <section className="home-section">
          <h2>{t('continue-listening')}</h2>
          <ul className="continue-list">
            {begun.map(wrapper => (
              <ContinueCard key={wrapper.podcastEpisode.id} wrapper={wrapper} podcastName={nameOf(wrapper)} />
            ))}
          </ul>
        </section>
      )}
      <section className="home-section">
        <div className="home-heading">
          <h2>{t('newest-episodes')}</h2>
          <Link href={routes.timeline}>{t('show-all')}</Link>
        </div>
        <EpisodeList list={newest} podcastNameOf={nameOf} showPodcast empty={<Empty>{t('no-episodes-yet')}</Empty>} />
      </section>
    </>
  )
}
