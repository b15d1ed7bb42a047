import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useApp } from '../../app-context'
import { Empty, Failed, Skeleton } from '../../components/states'
import { EpisodeList } from '../../library/episodes/episode-list'
import { useTimeline } from '../../library/episodes/use-timeline'
import { HomeHeader } from '../../library/headers/home-header'
import { EmptyLibrary } from '../../library/podcasts/empty-library'
import { routes } from '../../routes'
import { useResource } from '../../use-resource'
import { ContinueCard } from './continue-card'
import './home-page.css'

const MAX_PER_SECTION = 12

/** Home page: episodes in progress, then the newest. */
export function HomePage() {
  useSignals()
  const { library } = useApp()
  if (library.status.value === 'failed')
    return <Failed error={library.error.value} onRetry={() => void library.load()} />
  return (
    <>
      <HomeHeader current={routes.home} />
      {library.isEmpty.value ? <EmptyLibrary /> : <Episodes />}
    </>
  )
}

function Episodes() {
  const { api } = useApp()
  const { t } = useTranslation()
  const newest = useTimeline({ limit: MAX_PER_SECTION, isBrief: true })
  const started = useResource((_, limit: number) => api.playback.lastWatched(limit), [MAX_PER_SECTION])

  // Wait for the started episodes: they appear above and would push the newest ones down.
  if (started.data === null && started.error === null) return <Skeleton kind="row" count={8} />
  return (
    <>
      {started.data && started.data.length > 0 && (
        <section className="home-section">
          <h2>{t('continue-listening')}</h2>
          <ul className="continue-list">
            {started.data.map(({ podcastEpisode, episode: history, podcast }) => (
              <ContinueCard
                key={podcastEpisode.id}
                wrapper={{ podcastEpisode, podcastHistoryItem: history }}
                podcastName={podcast.name}
              />
            ))}
          </ul>
        </section>
      )}
      <section className="home-section">
        <div className="home-heading">
          <h2>{t('newest-episodes')}</h2>
          <Link href={routes.timeline}>{t('show-all')}</Link>
        </div>
        <EpisodeList
          list={newest.list}
          podcastNameOf={newest.nameOf}
          showPodcast
          empty={<Empty>{t('no-episodes-yet')}</Empty>}
        />
      </section>
    </>
  )
}
