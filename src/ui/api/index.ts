import type { Chosen, DownloadState, QueueTurn } from '../../shared/api/episode'
import type { Progress } from '../../shared/api/history'
import type { JobStarted } from '../../shared/api/job'
import type { TimelineSpan } from '../../shared/api/matching'
import type { NamingEdit, Renames } from '../../shared/api/settings'
import type { YourList } from '../../shared/choices'
import { type Calls, callsOf, chosenBody, type EpisodeQuery, parametersOf } from './calls'
import type { Client } from './client'
import { directoryApi } from './directory'

export type Api = ReturnType<typeof createApi>

/** The calls of the server's API. Those that only single pages need are in `administration.ts`, loaded with them. */
export function createApi(client: Client) {
  const calls = callsOf(client)
  return {
    podcasts: podcastsApi(calls),
    episodes: episodesApi(calls),
    playback: playbackApi(calls),
    timeline: timelineApi(calls),
    yourEpisodes: yourEpisodesApi(calls),
    downloads: downloadsApi(calls),
    search: searchApi(calls),
    tags: tagsApi(calls),
    bookmarks: bookmarksApi(calls),
    skipMarks: skipMarksApi(calls),
    playlists: playlistsApi(calls),
    queue: queueApi(calls),
    opml: opmlApi(calls),
    directory: directoryApi(calls),
    notifications: notificationsApi(calls),
    system: systemApi(calls),
    session: sessionApi(calls),
    users: usersApi(calls),
    invites: invitesApi(calls),
  }
}

export type Adding = {
  /** The name to send instead of Castellan's, for a host that refuses it. */
  userAgent?: string | undefined
  /** Also adds a feed in which nothing can be played. */
  evenUnplayable?: boolean
  /** Number of newest episodes to download; null means all, absent = as the settings say. */
  firstDownloads?: number | null | undefined
}

const podcastsApi = ({ get, page, post, put, remove }: Calls) => ({
  list: get('/podcasts'),
  brief: get('/podcasts/brief'),
  checks: get('/podcasts/checks'),
  find: get('/podcasts/:id'),
  add: (rssFeedUrl: string, { evenUnplayable, firstDownloads, userAgent }: Adding = {}) =>
    post('/podcasts/feed')({
      rssFeedUrl,
      even_unplayable: evenUnplayable,
      first_downloads: firstDownloads,
      userAgent,
    }),
  preview: (rssFeedUrl: string, signal?: AbortSignal, userAgent?: string) =>
    post('/podcasts/preview')({ rssFeedUrl, userAgent }, { ...(signal && { signal }) }),
  remove: (id: string, withFiles: boolean) => remove('/podcasts/:id')(id, { delete_files: withFiles }),
  refresh: post('/podcasts/:id/refresh'),
  refreshAll: post('/podcasts/all'),
  favour: (id: string, favored: boolean) => put('/podcasts/favored')({ id, favored }),
  rename: (id: string, name: string) => put('/podcasts/:id/name')(id, { name }),
  setActive: (id: string, active: boolean) => put('/podcasts/:id/active')(id, { active }),
  settings: get('/podcasts/:id/settings'),
  editSettings: put('/podcasts/:id/settings'),
  preferences: get('/podcasts/:id/preferences'),
  editPreferences: put('/podcasts/:id/preferences'),
  changeFeed: (id: string, rssFeedUrl: string) => put('/podcasts/:id/feed')(id, { rssFeedUrl }),
  overview: get('/podcasts/:id/overview'),
  episodes: (id: string, query: EpisodeQuery, cursor: string | null, signal?: AbortSignal) =>
    page('/podcasts/:id/episodes')(id, { ...parametersOf(query), cursor }, signal),
  markListened: post('/podcasts/:id/episodes/listened'),
  undoListened: (id: string, undo: string) => post('/podcasts/:id/episodes/listened/undo')(id, { undo }),
  /** Lists feeds that the user's devices subscribe to and that are not in the library. */
  available: get('/podcasts/available/gpodder'),
  missing: get('/podcasts/:id/episodes/download-all'),
  downloadAll: post('/podcasts/:id/episodes/download-all'),
  undoDownloadAll: (id: string, undo: string) => post('/podcasts/:id/episodes/download-all/undo')(id, { undo }),
})

/** Calls about episodes. The server has two ids for an episode: `eid` is its `episode_id`, `id` its `id`. */
const episodesApi = ({ get, post, put, remove }: Calls) => ({
  find: get('/episodes/:eid'),
  /** Asks for an address that plays without a session, on a speaker or a television. */
  address: get('/episodes/:eid/address'),
  like: (id: string, favored: boolean) => put('/podcasts/:id/episodes/favor')(id, { favored }),
  chapters: get('/podcasts/episodes/:id/chapters'),
  transcripts: get('/podcasts/episodes/:id/transcripts'),
  chapterFiles: get('/podcasts/episodes/:id/chapter-files'),
  transcript: (id: string, language?: string) => get('/podcasts/episodes/:id/transcript')(id, { language }),
  /** `form`: the id of one of its forms, or `main`; absent = the one that the podcast's settings prefer. */
  download: (eid: string, form?: string) =>
    put('/podcasts/:id/episodes/download')(eid, form === undefined ? undefined : { form }),
  removeDownload: remove('/episodes/:eid/download'),
  /** Fetches the recording that the publisher offers now; the stored file plays until then. */
  fetchNewer: put('/episodes/:eid/newer-recording'),
  /** Makes two episodes of a podcast one; returns the one that remains. */
  join: (eid: string, episode: string) => post('/episodes/:eid/same')(eid, { episode }),
  /** Makes two of an episode that was published again; returns the new one. */
  split: post('/episodes/:eid/split'),
  /** Actions on at most 5,000 episodes at once, by their `id`; those that the user may not see are left out. */
  batch: {
    mark: (chosen: Chosen, finished: boolean) =>
      post('/podcasts/episodes/batch/listened')({ ...chosenBody(chosen), finished }),
    undoMark: (undo: string) => post('/podcasts/episodes/batch/listened/undo')({ undo }),
    like: (chosen: Chosen, favored: boolean) =>
      post('/podcasts/episodes/batch/favor')({ ...chosenBody(chosen), favored }),
    download: (chosen: Chosen) => post('/podcasts/episodes/batch/download')(chosenBody(chosen)),
    undoDownload: (undo: string) => post('/podcasts/episodes/batch/download/undo')({ undo }),
    deleteFiles: (chosen: Chosen) => post('/podcasts/episodes/batch/delete-files')(chosenBody(chosen)),
  },
})

const playbackApi = ({ get, post, put, remove }: Calls) => ({
  /** Finds the user's position in an episode; an episode that was never played is at 0. */
  find: get('/podcasts/episode/:id'),
  /** `leaving`: the page is about to close, and the request must outlive it. */
  save: (progress: Progress, { leaving = false } = {}) => post('/podcasts/episode')(progress, { keepalive: leaving }),
  /** Hides an episode, by its `id`, from Continue listening, or shows it again. */
  hide: (id: string, hidden: boolean) =>
    hidden ? put('/podcasts/episode/:id/hidden')(id) : remove('/podcasts/episode/:id/hidden')(id),
  lastWatched: (limit: number) => get('/podcasts/episode/lastwatched')({ limit }),
  /** Finds the loudness that was measured for the user, by the `episode_id`. */
  loudness: get('/podcasts/episode/:id/loudness'),
  saveLoudness: put('/podcasts/episode/:id/loudness'),
})

/** `undatedLast`: puts episodes without a date after all others; `tz`: the time zone whose days are summed up. */
type TimelineQuery = TimelineSpan & { limit?: number; undatedLast?: boolean; tz?: string }

const timelineApi = ({ page, post }: Calls) => ({
  page: (query: TimelineQuery, cursor: string | null, signal?: AbortSignal) =>
    page('/podcasts/timeline')({ ...query, cursor }, signal),
  mark: (span: TimelineSpan, finished: boolean) => post('/podcasts/timeline/listened')({ ...span, finished }),
  undoMark: (undo: string) => post('/podcasts/timeline/listened/undo')({ undo }),
  /** Appends the episodes to the queue, except for the played ones. */
  queue: post('/podcasts/timeline/queue'),
})

const yourEpisodesApi = ({ get, page }: Calls) => ({
  counts: get('/episodes/yours'),
  page: (list: YourList, cursor: string | null, limit = 50) => page('/episodes/yours/:list')(list, { cursor, limit }),
})

const downloadsApi = ({ page, post, remove }: Calls) => ({
  /** `state`: only downloads in this state. */
  page: (cursor: string | null, limit = 100, state?: DownloadState) => page('/downloads')({ cursor, limit, state }),
  pause: post('/downloads/:id/pause'),
  resume: post('/downloads/:id/resume'),
  cancel: remove('/downloads/:id'),
  pauseAll: post('/downloads/pause'),
  resumeAll: post('/downloads/resume'),
})

type SearchQuery = {
  q: string
  in?: string
  podcastId?: string
  downloaded?: boolean
  unplayed?: boolean
  from?: string
  to?: string
  limit?: number
}

const searchApi = ({ get, page }: Calls) => ({
  find: (query: SearchQuery, cursor: string | null, signal?: AbortSignal) =>
    page('/search')({ ...query, cursor }, signal),
  /** Finds the places in transcripts where the words were said. */
  said: (q: string, page = 0) => get('/transcripts/search')({ q, page }),
  /** Finds the hundred best episodes. */
  episodes: (words: string, signal?: AbortSignal) => get('/podcasts/:id/query')(words.trim(), signal),
})

const tagsApi = ({ get, post, put, remove }: Calls) => ({
  list: get('/tags'),
  create: post('/tags'),
  edit: put('/tags/:id'),
  remove: remove('/tags/:id'),
  assign: post('/tags/:id/:podcast'),
  unassign: remove('/tags/:id/:podcast'),
})

const bookmarksApi = ({ get, post, put, remove }: Calls) => ({
  ofEpisode: (episode: string) => get('/bookmarks')({ episode }),
  list: () => get('/bookmarks')(),
  /** Writes all bookmarks, or those of one episode, as Markdown. */
  markdown: (episode?: string) => get('/bookmarks/markdown')({ episode }) as Promise<string>,
  add: post('/bookmarks'),
  edit: put('/bookmarks/:id'),
  remove: remove('/bookmarks/:id'),
})

const skipMarksApi = ({ get, post, remove }: Calls) => ({
  ofEpisode: (episode: string) => get('/skip-marks')({ episode }),
  add: post('/skip-marks'),
  remove: remove('/skip-marks/:id'),
})

const playlistsApi = ({ get, post, put, remove }: Calls) => ({
  list: (signal?: AbortSignal) => get('/playlists')({}, signal),
  /** The playlists of chosen episodes, and whether they contain this episode. */
  listChosen: (episode: string | null) => get('/playlists')({ chosen: true, episode }),
  find: get('/playlist/:id'),
  create: post('/playlist'),
  preview: post('/playlist/preview'),
  suggestions: (signal?: AbortSignal) =>
    get('/playlists/suggestions')({ tz: Intl.DateTimeFormat().resolvedOptions().timeZone }, signal),
  showSuggestions: (isShown: boolean) => put('/playlists/suggestions')({ isShown }),
  replace: put('/playlist/:id'),
  append: (id: string, chosen: Chosen) => post('/playlist/:id/episodes')(id, chosenBody(chosen)),
  remove: remove('/playlist/:id'),
  /** Moves an episode before another one of the playlist, by their `id`; null = to the end. */
  place: (id: string, episode: string, before: string | null) =>
    put('/playlist/:id/episode/:episode')(id, episode, { before }),
  played: (id: string) => put('/playlist/:id/played')(id),
  removeItem: remove('/playlist/:id/episode/:episode'),
})

const queueApi = ({ get, post, put, remove }: Calls) => ({
  find: get('/queue'),
  add: post('/queue/items'),
  /** Puts episodes, by their `id`, at the head or the end of the queue. */
  addAll: (chosen: Chosen, at: QueueTurn) => post('/podcasts/episodes/batch/queue')({ ...chosenBody(chosen), at }),
  reorder: put('/queue'),
  remove: remove('/queue/items/:id'),
})

const opmlApi = ({ get, post, remove }: Calls) => ({
  preview: post('/podcasts/opml/preview'),
  start: post('/podcasts/opml'),
  jobs: get('/jobs'),
  job: (id: string) => get('/jobs/:id')(id),
  cancel: remove('/jobs/:id'),
  /** Returns the text of an OPML file. */
  exported: (type: 'local' | 'online') => get('/settings/opml/:type')(type) as Promise<string>,
})

const notificationsApi = ({ get, put }: Calls) => ({
  unread: get('/notifications/unread'),
  dismiss: (id: string) => put('/notifications/dismiss')({ id }),
})

const systemApi = ({ get, post, put }: Calls) => ({
  config: get('/sys/config'),
  settings: get('/settings'),
  cleanup: get('/settings/cleanup'),
  runCleanup: put('/settings/runcleanup'),
  previewNaming: (naming: NamingEdit, signal?: AbortSignal) => post('/settings/naming/preview')(naming, { signal }),
  editNaming: put('/settings/name'),
  /** Lists the renames that the saved formats would lead to, without renaming anything. */
  renames: () =>
    post('/settings/rescan-episodes')({ applyFilenames: true, applyMetadata: false, dryRun: true }) as Promise<Renames>,
  rescan: ({ applyFilenames = false, applyMetadata = false }) =>
    post('/settings/rescan-episodes')({ applyFilenames, applyMetadata, dryRun: false }) as Promise<JobStarted>,
  job: (id: string) => get('/jobs/:id')(id),
  episodeFormatting: (content: string) => post('/episodes/formatting')({ content }) as Promise<string>,
  podcastFormatting: (content: string) => post('/podcasts/formatting')({ content }) as Promise<string>,
  editSettings: put('/settings'),
})

/** Sign-in, and the session cookie that media, covers and the socket need. */
const sessionApi = ({ post, remove }: Calls) => ({
  login: post('/login'),
  start: (remember: boolean) => post('/session')({ remember }),
  end: (as: string | null) => remove('/session')(undefined, { as }),
})

/** Accounts are addressed by id. */
const usersApi = ({ get, post, put, remove }: Calls) => ({
  list: get('/users'),
  me: get('/users/me'),
  signUp: post('/users'),
  edit: put('/users/:username'),
  change: put('/users/:username/role'),
  rename: (id: string, username: string) => put('/users/:username/username')(id, { username }),
  remove: remove('/users/:username'),
  setLocale: put('/users/me/locale'),
  skipLengths: get('/users/me/skipLengths'),
  setSkipLengths: put('/users/me/skipLengths'),
  removeApiKey: remove('/users/me/apiKey'),
  renewFeedKey: post('/users/me/feedKey'),
})

const invitesApi = ({ get, post, remove }: Calls) => ({
  list: get('/invites'),
  find: get('/invites/:id'),
  create: post('/invites'),
  link: (id: string) => get('/invites/:id/link')(id) as Promise<string>,
  remove: remove('/invites/:id'),
})
