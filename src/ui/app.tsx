import { useSignals } from '@preact/signals-react/runtime'
import { Redirect, Route, Router, Switch } from 'wouter'
import { useApp } from './app-state'
import { Shell } from './components/shell/shell'
import { Failed } from './components/states'
import { DownloadsPage } from './pages/downloads/downloads-page'
import { EpisodesPage } from './pages/episodes/episodes-page'
import { HomePage } from './pages/home/home-page'
import { NotFoundPage } from './pages/not-found/not-found-page'
import { PodcastsPage } from './pages/podcasts/podcasts-page'
import { TimelinePage } from './pages/timeline/timeline-page'
import { routes } from './routes'
import { useTranslation } from 'react-i18next'

export function App() {
  useSignals()
  const { config, startError, start, prefix } = useApp()
  const { t } = useTranslation()

  if (startError.value) return <Failed error={startError.value} onRetry={() => void start()} />
  if (!config.value) return <p className="starting" aria-busy="true" aria-label={t('loading')} />
  return (
    <Router base={`${prefix}/ui`}>
      <Shell>
        <Switch>
          <Route path="/">
            <Redirect to={routes.home} replace />
          </Route>
          <Route path="/home">
            <Redirect to={routes.home} replace />
          </Route>
          <Route path={routes.home} component={HomePage} />
          <Route path={routes.podcasts}>
            <PodcastsPage key="all" favouritesOnly={false} />
          </Route>
          <Route path={routes.favorites}>
            <PodcastsPage key="favourites" favouritesOnly />
          </Route>
          <Route path="/:list/:podcastId/episodes/:eid?">
            {({ list, podcastId, eid }) =>
              list === 'podcasts' || list === 'favorites' ? (
                <EpisodesPage key={podcastId} podcastId={podcastId} eid={eid ?? null} />
              ) : (
                <NotFoundPage />
              )
            }
          </Route>
          <Route path={routes.timeline} component={TimelinePage} />
          <Route path="/info">
            <Redirect to={routes.downloads} replace />
          </Route>
          <Route path={routes.downloads} component={DownloadsPage} />
          <Route component={NotFoundPage} />
        </Switch>
      </Shell>
    </Router>
  )
}
