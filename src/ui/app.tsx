import { useSignals } from '@preact/signals-react/runtime'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Redirect, Route, Router, Switch } from 'wouter'
import { yourLists } from '../shared/choices'
import { ApiError } from './api/client'
import { useApp } from './app-context'
import { FrontDoor } from './components/front-door'
import { Shell } from './shell/shell'
import { Failed } from './components/states'
import { ToastList } from './components/toasts'
import { loadRest } from './components/lazily'
import {
  AdministrationPage,
  DownloadsPage,
  EpisodesPage,
  GrantPage,
  HomePage,
  InfoPage,
  InvitePage,
  LoginPage,
  NotFoundPage,
  OfflinePage,
  PeoplePage,
  PlaylistPage,
  PlaylistsPage,
  PodcastsPage,
  ProfilePage,
  SearchPage,
  SettingsPage,
  SetupPage,
  StatisticsPage,
  TagsPage,
  TimelinePage,
  YoursPage,
} from './pages'
import { administrationTabs, routes, settingsTabs } from './routes'

export function App() {
  const { prefix, toasts } = useApp()
  return (
    <Router base={`${prefix}/ui`}>
      <Switch>
        <Route path="/invite/:id">{({ id }) => <InvitePage id={id} />}</Route>
        <Route>
          <SignedIn />
        </Route>
      </Switch>
      <ToastList toasts={toasts} />
    </Router>
  )
}

/** The interface behind the sign-in, if the server has one. */
function SignedIn() {
  useSignals()
  const { session, library, kept } = useApp()
  const { t } = useTranslation()
  // The code of other parts waits for the content of this page.
  const isSettled =
    session.phase.value === 'signed-out' || library.status.value === 'ready' || library.status.value === 'failed'
  useEffect(() => {
    if (isSettled) void loadRest()
  }, [isSettled])

  const error = session.startError.value
  if (error && kept.isPossible && isServerAway(error)) return <OfflinePage />
  if (error)
    return (
      <FrontDoor title={t('start-failed')}>
        <Failed error={error} onRetry={() => void session.start()} />
      </FrontDoor>
    )
  if (session.phase.value === 'loading')
    return <p className="starting center flush" role="status" aria-busy="true" aria-label={t('loading')} />
  if (session.phase.value === 'setup') return <SetupPage />
  if (session.phase.value === 'signed-out')
    return (
      <Switch>
        <Route path={routes.login} component={LoginPage} />
        <Route>
          <ToLogin />
        </Route>
      </Switch>
    )
  return (
    <Shell>
      <Pages />
    </Shell>
  )
}

/** Whether the server does not answer, or only a proxy in front of it does. */
const isServerAway = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 502)

/** Redirects to the sign-in, and remembers the page to return to. */
function ToLogin() {
  const { afterLogin, prefix } = useApp()
  // During the first render, since the redirect happens before any effect of ours.
  useState(() => afterLogin.remember(location.href.slice(`${location.origin}${prefix}/ui`.length)))
  return <Redirect to={routes.login} replace />
}

function Arrive() {
  const { afterLogin } = useApp()
  const [path] = useState(() => afterLogin.claim())
  return <Redirect to={path ?? routes.home} replace />
}

function Pages() {
  return (
    <Switch>
      {['/', '/home', routes.login].map(path => (
        <Route key={path} path={path}>
          <Arrive />
        </Route>
      ))}
      <Route path="/grant/:id">{({ id }) => <GrantPage key={id} id={id} />}</Route>
      <Route path={routes.home} component={HomePage} />
      <Route path={routes.playlists} component={PlaylistsPage} />
      <Route path="/home/playlist/:id">{({ id }) => <PlaylistPage key={id} id={id} />}</Route>
      <Route path={routes.podcasts}>
        <PodcastsPage key="all" favouritesOnly={false} />
      </Route>
      <Route path={routes.search} component={SearchPage} />
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
      <Route path={routes.people} component={PeoplePage} />
      <Route path={routes.timeline} component={TimelinePage} />
      {yourLists.map(kind => (
        <Route key={kind} path={routes.yours(kind)}>
          <YoursPage kind={kind} />
        </Route>
      ))}
      <Route path={routes.tags} component={TagsPage} />
      <Route path={routes.info} component={InfoPage} />
      <Route path={routes.statistics} component={StatisticsPage} />
      <Route path={routes.downloads} component={DownloadsPage} />
      <Route path="/info/device">
        <Redirect to={routes.device} replace />
      </Route>
      <Route path={routes.settings}>
        <SettingsPage tab={null} />
      </Route>
      {settingsTabs.map(tab => (
        <Route key={tab} path={routes.settingsOf(tab)}>
          <SettingsPage tab={tab} />
        </Route>
      ))}
      <Route path="/administration">
        <Redirect to={routes.users} replace />
      </Route>
      {administrationTabs.map(tab => (
        <Route key={tab} path={routes[tab]}>
          <AdministrationPage tab={tab} />
        </Route>
      ))}
      <Route path={routes.profile} component={ProfilePage} />
      <Route>
        <NotFoundPage />
      </Route>
    </Switch>
  )
}
