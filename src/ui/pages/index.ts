import { lazily } from '../components/lazily'

// Each page is a separate file, loaded when it is opened.

export const AdministrationPage = lazily(
  async () => (await import('./administration/administration-page')).AdministrationPage,
)
export const DownloadsPage = lazily(async () => (await import('./downloads/downloads-page')).DownloadsPage)
export const EpisodesPage = lazily(async () => (await import('./episodes/episodes-page')).EpisodesPage)
export const GrantPage = lazily(async () => (await import('./grant/grant-page')).GrantPage)
export const HomePage = lazily(async () => (await import('./home/home-page')).HomePage)
export const InfoPage = lazily(async () => (await import('./info/info-page')).InfoPage)
export const StatisticsPage = lazily(async () => (await import('./info/statistics-page')).StatisticsPage)
export const InvitePage = lazily(async () => (await import('./invite/invite-page')).InvitePage)
export const LoginPage = lazily(async () => (await import('./login/login-page')).LoginPage)
export const NotFoundPage = lazily(async () => (await import('../library/not-found')).NotFound)
export const OfflinePage = lazily(async () => (await import('./offline/offline-page')).OfflinePage)
export const PeoplePage = lazily(async () => (await import('./people/people-page')).PeoplePage)
export const PlaylistPage = lazily(async () => (await import('./playlists/playlist-page')).PlaylistPage)
export const PlaylistsPage = lazily(async () => (await import('./playlists/playlists-page')).PlaylistsPage)
export const PodcastsPage = lazily(async () => (await import('./podcasts/podcasts-page')).PodcastsPage)
export const ProfilePage = lazily(async () => (await import('./profile/profile-page')).ProfilePage)
export const SearchPage = lazily(async () => (await import('./search/search-page')).SearchPage)
export const SettingsPage = lazily(async () => (await import('./settings/settings-page')).SettingsPage)
export const SetupPage = lazily(async () => (await import('./setup/setup-page')).SetupPage)
export const TagsPage = lazily(async () => (await import('./tags/tags-page')).TagsPage)
export const TimelinePage = lazily(async () => (await import('./timeline/timeline-page')).TimelinePage)
export const YoursPage = lazily(async () => (await import('./yours/yours-page')).YoursPage)

/** The pages where people start, by their addresses below `/ui`. */
const beginnings: readonly [RegExp, { load: () => Promise<unknown> }][] = [
  [/^\/?(home(\/view)?)?$/, HomePage],
  [/^\/(podcasts|favorites)$/, PodcastsPage],
  [/^\/(podcasts|favorites)\/[^/]+\/episodes/, EpisodesPage],
  [/^\/timeline$/, TimelinePage],
]

/** Loads the page of an address while the sign-in is still being checked. Never throws: it is tried again. */
export async function preloadPage(path: string) {
  const page = beginnings.find(([address]) => address.test(path))?.[1]
  await page?.load().catch(() => undefined)
}
