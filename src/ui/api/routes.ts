// Made by `bun run routes` from the routes of the server.
import type {
  AccessRequest,
  AppPassword,
  AppPasswordName,
  AppSession,
  Device,
  DeviceEdit,
  NewAppPassword,
  SyncWishes,
} from '../../shared/api/access'
import type { AuditEntry } from '../../shared/api/audit'
import type {
  DirectoryChart,
  DirectoryEntry,
  GuidFeed,
  ItunesSearch,
  PodcastPreview,
  PodindexSearch,
} from '../../shared/api/directory'
import type { Download, DownloadList, QueuePaused } from '../../shared/api/download'
import type {
  ChangedEpisodes,
  ChosenEpisodes,
  Episode,
  EpisodeOutline,
  EpisodeWithExtras,
  EpisodeWrapper,
  Listened,
  Marked,
  MediaAddress,
  PodcastOverview,
  QueueTurn,
  YourCounts,
  YourEpisode,
  YourOutline,
} from '../../shared/api/episode'
import type { EpisodeHistory, History, Loudness, MeasuredLoudness, Progress } from '../../shared/api/history'
import type { Job, JobStarted, OpmlImport, OpmlOutline, SetAsideItem, SetAsideKey } from '../../shared/api/job'
import type { Bookmark, BookmarkEdit, Clip, NewBookmark, NewClip, NewSkipMark, SkipMark } from '../../shared/api/marks'
import type { MatchingInPodcast, TimelineSpan } from '../../shared/api/matching'
import type { Move, MoveOptions, MovePodcast, MoveSource, NewMove } from '../../shared/api/move'
import type {
  Destination,
  DestinationEdit,
  DestinationKind,
  DestinationRequest,
  DestinationTest,
  NewDestination,
  Notification,
  PushKey,
} from '../../shared/api/notification'
import type {
  Playlist,
  PlaylistEdit,
  PlaylistPlace,
  PlaylistSummary,
  SmartPreview,
  SmartRules,
  Suggestions,
  SuggestionsChoice,
} from '../../shared/api/playlist'
import type {
  Affected,
  AvailableFeed,
  FeedCheck,
  Filter,
  FilterEdit,
  MissingFiles,
  NewTag,
  Podcast,
  PodcastBrief,
  PodcastCategory,
  PodcastWithExtras,
  Queued,
  QueuedAll,
  Tag,
  TagEdit,
} from '../../shared/api/podcast'
import type {
  Continuing,
  CountedQueue,
  Following,
  NewQueue,
  Queue,
  QueueAddition,
  QueueChange,
  QueueName,
  QueueOrder,
} from '../../shared/api/queue'
import type { PersonListed, PersonPage, SearchResult } from '../../shared/api/search'
import type {
  CleanedUp,
  Cleanup,
  NamingEdit,
  NamingPreview,
  OwnPreferences,
  PodcastSettings,
  PodcastSettingsEdit,
  Preferences,
  PreferencesEdit,
  Renames,
  Rescan,
  Settings,
  SettingsEdit,
} from '../../shared/api/settings'
import type {
  NewPasskey,
  Passkey,
  PasskeyLogin,
  Proof,
  RecoveryCodes,
  SecondFactorSecret,
  SecondFactorState,
  Session,
} from '../../shared/api/sign-in'
import type { Backup, BuildInfo, Config, OpenIdAddresses, Stats, SysInfo, UpdateNotice } from '../../shared/api/system'
import type {
  Chapter,
  ChapterFile,
  EpisodeTranscription,
  Transcript,
  TranscriptHits,
  TranscriptWithSegments,
  Transcription,
  TranscriptionList,
} from '../../shared/api/texts'
import type { LastWatched, Timeline, TimelineMark, TimelineOutline } from '../../shared/api/timeline'
import type {
  EverythingSize,
  FeedKey,
  Invite,
  Locale,
  Login,
  NewInvite,
  SignUp,
  SkipLengths,
  User,
  UserChange,
  UserEdit,
  UserSummary,
} from '../../shared/api/user'

export type Routes = {
  'DELETE /backups/:name': { answer: void }
  'DELETE /bookmarks/:id': { answer: void }
  'DELETE /clips/:id': { answer: void }
  'DELETE /destinations/:id': { answer: void }
  'DELETE /devices/:id': { answer: void }
  'DELETE /downloads/:id': { answer: void }
  'DELETE /episodes/:eid/download': { answer: void }
  'DELETE /invites/:id': { answer: void }
  'DELETE /jobs/:id': { answer: void }
  'DELETE /moves/:id': { answer: void }
  'DELETE /playlist/:id': { answer: void }
  'DELETE /playlist/:id/episode/:episode': { answer: void }
  'DELETE /podcasts/:id': { body: { delete_files?: boolean } | null; answer: void }
  'DELETE /podcasts/:id/episodes/downloads': { answer: Affected }
  'DELETE /podcasts/episode/:id/hidden': { answer: void }
  'DELETE /podcasts/episodes/:id/transcripts/:tid': { answer: void }
  'DELETE /queue': { answer: void }
  'DELETE /queue/items/:id': { answer: void }
  'DELETE /queues/:id': { answer: void }
  'DELETE /session': { answer: void }
  'DELETE /skip-marks/:id': { answer: void }
  'DELETE /tags/:id': { answer: void }
  'DELETE /tags/:id/:podcast': { answer: void }
  'DELETE /transcriptions/:id': { answer: void }
  'DELETE /users/:username': { answer: void }
  'DELETE /users/:username/secondFactor': { answer: void }
  'DELETE /users/me/apiKey': { answer: void }
  'DELETE /users/me/appPasswords/:id': { answer: void }
  'DELETE /users/me/appSessions/:id': { answer: void }
  'DELETE /users/me/passkeys/:id': { answer: void }
  'DELETE /users/me/secondFactor': { body: Proof; answer: void }
  'DELETE /users/me/sessions': { answer: void }
  'DELETE /users/me/sessions/:id': { answer: void }
  'GET /access-requests/:id': { answer: AccessRequest }
  'GET /audit': {
    query: {
      person?: string
      topic?: 'sign-in' | 'refused' | 'keys' | 'accounts' | 'settings' | 'podcasts' | 'imports' | 'backups'
      day?: string
      offset?: number
      cursor?: string
      limit?: number
    }
    answer: AuditEntry[]
  }
  'GET /backups': { answer: Backup[] }
  'GET /backups/:name': { answer: unknown }
  'GET /bookmarks': { query: { episode?: string }; answer: Bookmark[] }
  'GET /bookmarks/markdown': { query: { episode?: string }; answer: unknown }
  'GET /clips': { answer: Clip[] }
  'GET /destinations': { answer: Destination[] }
  'GET /destinations/kinds': { answer: DestinationKind[] }
  'GET /destinations/pushKey': { answer: PushKey }
  'GET /devices': { answer: Device[] }
  'GET /discover/guid/:guid': { answer: GuidFeed }
  'GET /discover/popular': { query: { country?: string }; answer: DirectoryChart }
  'GET /discover/trending': { query: { cat?: string; lang?: string; limit?: number }; answer: PodindexSearch }
  'GET /downloads': { query: { state?: string | string[]; cursor?: string; limit?: number }; answer: DownloadList }
  'GET /episodes/:eid': { answer: EpisodeWithExtras }
  'GET /episodes/:eid/address': { answer: MediaAddress }
  'GET /episodes/yours': { answer: YourCounts }
  'GET /episodes/yours/:list': { query: { cursor?: string; offset?: number; limit?: number }; answer: YourEpisode[] }
  'GET /episodes/yours/:list/outline': { query: { tz: string }; answer: YourOutline }
  'GET /info': { answer: BuildInfo }
  'GET /invites': { answer: Invite[] }
  'GET /invites/:id': { answer: Invite }
  'GET /invites/:id/link': { answer: unknown }
  'GET /jobs': { answer: Job[] }
  'GET /jobs/:id': { query: { items?: 'failed' | 'all' }; answer: Job }
  'GET /moves': { answer: Move[] }
  'GET /moves/:id': { answer: Move }
  'GET /moves/:id/podcasts': { answer: MovePodcast[] }
  'GET /moves/sources': { answer: MoveSource[] }
  'GET /notifications/unread': { answer: Notification[] }
  'GET /people': { query: { q?: string; after?: string; limit?: number }; answer: PersonListed[] }
  'GET /people/named': { query: { name: string }; answer: PersonPage }
  'GET /people/named/episodes': {
    query: { name: string; cursor?: string; offset?: number; limit?: number }
    answer: EpisodeWrapper[]
  }
  'GET /playlist': { answer: Playlist[] }
  'GET /playlist/:id': { answer: Playlist }
  'GET /playlists': { query: { chosen?: boolean; episode?: string }; answer: PlaylistSummary[] }
  'GET /playlists/suggestions': { query: { tz?: string }; answer: Suggestions }
  'GET /podcasts': { answer: Podcast[] }
  'GET /podcasts/:id': { answer: PodcastWithExtras }
  'GET /podcasts/:id/:term/search': { answer: ItunesSearch | PodindexSearch }
  'GET /podcasts/:id/episodes': {
    query: {
      only_unlistened?: boolean
      only_new?: boolean
      downloaded?: boolean
      liked?: boolean
      q?: string
      order?: 'newest' | 'oldest'
      last_podcast_episode?: string
      cursor?: string
      offset?: number
      limit?: number
    }
    answer: EpisodeWrapper[]
  }
  'GET /podcasts/:id/episodes/download-all': { answer: MissingFiles }
  'GET /podcasts/:id/episodes/outline': {
    query: {
      only_unlistened?: boolean
      only_new?: boolean
      downloaded?: boolean
      liked?: boolean
      q?: string
      order?: 'newest' | 'oldest'
      episode?: string
    }
    answer: EpisodeOutline
  }
  'GET /podcasts/:id/overview': { answer: PodcastOverview }
  'GET /podcasts/:id/preferences': { answer: Preferences }
  'GET /podcasts/:id/query': { answer: Episode[] }
  'GET /podcasts/:id/settings': { answer: PodcastSettings }
  'GET /podcasts/available/gpodder': { answer: AvailableFeed[] }
  'GET /podcasts/brief': { answer: PodcastBrief[] }
  'GET /podcasts/categories': { answer: PodcastCategory[] }
  'GET /podcasts/checks': { answer: FeedCheck[] }
  'GET /podcasts/episode/:id': { answer: EpisodeHistory }
  'GET /podcasts/episode/:id/loudness': { answer: Loudness }
  'GET /podcasts/episode/lastwatched': { query: { limit?: number; includeFinished?: boolean }; answer: LastWatched[] }
  'GET /podcasts/episode/query': { answer: Episode[] }
  'GET /podcasts/episodes/:id/chapter-files': { answer: ChapterFile[] }
  'GET /podcasts/episodes/:id/chapters': { answer: Chapter[] }
  'GET /podcasts/episodes/:id/clip': { query: { start: number; end: number }; answer: unknown }
  'GET /podcasts/episodes/:id/following': { answer: Following }
  'GET /podcasts/episodes/:id/transcript': { query: { language?: string }; answer: TranscriptWithSegments }
  'GET /podcasts/episodes/:id/transcription': { answer: EpisodeTranscription }
  'GET /podcasts/episodes/:id/transcripts': { answer: Transcript[] }
  'GET /podcasts/episodes/:id/transcripts/:tid/file': { answer: unknown }
  'GET /podcasts/favored': { answer: Podcast[] }
  'GET /podcasts/filter': { answer: Filter }
  'GET /podcasts/preferences': { answer: OwnPreferences[] }
  'GET /podcasts/reverse/episode/:id': { answer: Podcast }
  'GET /podcasts/search': {
    query: {
      title?: string
      favoredOnly?: boolean
      tag?: string
      order?: 'ASC' | 'DESC'
      orderOption?: 'TITLE' | 'PUBLISHEDDATE'
    }
    answer: Podcast[]
  }
  'GET /podcasts/timeline': {
    query: {
      favoredOnly?: boolean
      favoredEpisodes?: boolean
      notListened?: boolean
      downloaded?: boolean
      shorterThan?: number
      tag?: string
      from?: string
      to?: string
      undatedLast?: boolean
      tz?: string
      lastTimestamp?: string
      cursor?: string
      offset?: number
      limit?: number
    }
    answer: Timeline
  }
  'GET /podcasts/timeline/outline': {
    query: {
      favoredOnly?: boolean
      favoredEpisodes?: boolean
      notListened?: boolean
      downloaded?: boolean
      shorterThan?: number
      tag?: string
      from?: string
      to?: string
      tz: string
    }
    answer: TimelineOutline
  }
  'GET /queue': { answer: Queue }
  'GET /queues': { answer: CountedQueue[] }
  'GET /search': {
    query: {
      q: string
      in?: string | string[]
      podcastId?: string
      downloaded?: boolean
      unplayed?: boolean
      from?: string
      to?: string
      cursor?: string
      limit?: number
    }
    answer: SearchResult
  }
  'GET /set-aside': { answer: SetAsideItem[] }
  'GET /settings': { answer: Settings }
  'GET /settings/cleanup': { answer: Cleanup }
  'GET /settings/opml/:type': { answer: unknown }
  'GET /skip-marks': { query: { episode: string }; answer: SkipMark[] }
  'GET /stats/overview': { query: { from?: string; to?: string; topLimit?: number; tz?: string }; answer: Stats }
  'GET /sys/config': { answer: Config }
  'GET /sys/info': { answer: SysInfo }
  'GET /sys/openid': { answer: OpenIdAddresses }
  'GET /sys/update': { answer: UpdateNotice }
  'GET /tags': { answer: Tag[] }
  'GET /transcriptions': { answer: TranscriptionList }
  'GET /transcripts/search': { query: { q: string; podcastId?: string; page?: number }; answer: TranscriptHits[] }
  'GET /users': { answer: UserSummary[] }
  'GET /users/:username': { answer: User | UserSummary }
  'GET /users/me': { answer: User }
  'GET /users/me/appPasswords': { answer: AppPassword[] }
  'GET /users/me/appSessions': { answer: AppSession[] }
  'GET /users/me/everything': { answer: EverythingSize }
  'GET /users/me/everything.zip': { query: { files?: boolean }; answer: unknown }
  'GET /users/me/passkeys': { answer: Passkey[] }
  'GET /users/me/secondFactor': { answer: SecondFactorState }
  'GET /users/me/sessions': { answer: Session[] }
  'GET /users/me/skipLengths': { answer: SkipLengths }
  'GET /users/me/sync': { answer: SyncWishes }
  'POST /access-requests/:id/grant': { answer: void }
  'POST /backups': { answer: Backup }
  'POST /bookmarks': { body: NewBookmark; answer: Bookmark }
  'POST /clips': { body: NewClip; answer: Clip }
  'POST /destinations': { body: DestinationRequest; answer: NewDestination }
  'POST /destinations/:id/restore': { answer: Destination }
  'POST /destinations/:id/test': { answer: DestinationTest }
  'POST /downloads/:id/pause': { answer: Download }
  'POST /downloads/:id/resume': { answer: Download }
  'POST /downloads/pause': { answer: QueuePaused }
  'POST /downloads/resume': { answer: QueuePaused }
  'POST /episodes/:eid/same': { body: { episode: string }; answer: EpisodeWrapper }
  'POST /episodes/:eid/split': { answer: EpisodeWrapper }
  'POST /episodes/formatting': { body: { content: string }; answer: unknown }
  'POST /invites': { body: NewInvite; answer: Invite }
  'POST /login': { body: Login; answer: User }
  'POST /login/passkey': { body: PasskeyLogin; answer: User }
  'POST /login/passkey/options': { answer: unknown }
  'POST /moves': { body: NewMove; answer: Move }
  'POST /moves/:id/begin': { answer: Move }
  'POST /moves/:id/retry': { answer: Move }
  'POST /moves/:id/undo': { answer: Move }
  'POST /playlist': { body: PlaylistEdit; answer: Playlist }
  'POST /playlist/:id/episodes': { body: ChosenEpisodes; answer: Affected }
  'POST /playlist/preview': { body: SmartRules; answer: SmartPreview }
  'POST /podcasts/:id/episodes/download-all': { answer: QueuedAll }
  'POST /podcasts/:id/episodes/download-all/undo': { body: { undo: string }; answer: Affected }
  'POST /podcasts/:id/episodes/download-range': { body: { from: number; to: number }; answer: Queued }
  'POST /podcasts/:id/episodes/listened': { body: Listened; answer: Marked }
  'POST /podcasts/:id/episodes/listened/undo': { body: { undo: string }; answer: Affected }
  'POST /podcasts/:id/episodes/not-new': { answer: { episodes: string[] } }
  'POST /podcasts/:id/episodes/resync-db': { answer: Affected }
  'POST /podcasts/:id/episodes/resync-files': { answer: Queued }
  'POST /podcasts/:id/refresh': { answer: Queued }
  'POST /podcasts/all': { answer: Queued }
  'POST /podcasts/episode': { body: Progress; answer: History }
  'POST /podcasts/episodes/:id/transcription': { answer: Transcription }
  'POST /podcasts/episodes/batch/delete-files': { body: ChosenEpisodes; answer: ChangedEpisodes }
  'POST /podcasts/episodes/batch/download': { body: ChosenEpisodes; answer: QueuedAll }
  'POST /podcasts/episodes/batch/download/undo': { body: { undo: string }; answer: Affected }
  'POST /podcasts/episodes/batch/favor': {
    body: {
      episodes: string[]
      matching?:
        | MatchingInPodcast
        | { timeline: TimelineSpan }
        | { yours: 'liked' | 'bookmarked' | 'in-progress' | 'downloaded' | 'history' }
        | { person: string }
      favored: boolean
    }
    answer: ChangedEpisodes
  }
  'POST /podcasts/episodes/batch/listened': {
    body: {
      episodes: string[]
      matching?:
        | MatchingInPodcast
        | { timeline: TimelineSpan }
        | { yours: 'liked' | 'bookmarked' | 'in-progress' | 'downloaded' | 'history' }
        | { person: string }
      finished: boolean
    }
    answer: Marked
  }
  'POST /podcasts/episodes/batch/listened/undo': { body: { undo: string }; answer: Affected }
  'POST /podcasts/episodes/batch/new': {
    body: {
      episodes: string[]
      matching?:
        | MatchingInPodcast
        | { timeline: TimelineSpan }
        | { yours: 'liked' | 'bookmarked' | 'in-progress' | 'downloaded' | 'history' }
        | { person: string }
      isNew: boolean
    }
    answer: ChangedEpisodes
  }
  'POST /podcasts/episodes/batch/queue': {
    body: {
      episodes: string[]
      matching?:
        | MatchingInPodcast
        | { timeline: TimelineSpan }
        | { yours: 'liked' | 'bookmarked' | 'in-progress' | 'downloaded' | 'history' }
        | { person: string }
      at: QueueTurn
    }
    answer: void
  }
  'POST /podcasts/feed': {
    body: { rssFeedUrl: string; even_unplayable?: boolean; first_downloads?: number | null; userAgent?: string }
    answer: Podcast
  }
  'POST /podcasts/formatting': { body: { content: string }; answer: unknown }
  'POST /podcasts/itunes': { body: DirectoryEntry; answer: Podcast }
  'POST /podcasts/opml': { body: OpmlImport; answer: JobStarted }
  'POST /podcasts/opml/preview': { body: OpmlImport; answer: OpmlOutline[] }
  'POST /podcasts/podindex': { body: DirectoryEntry; answer: Podcast }
  'POST /podcasts/preview': { body: { rssFeedUrl: string; userAgent?: string }; answer: PodcastPreview }
  'POST /podcasts/timeline/listened': { body: TimelineMark; answer: Marked }
  'POST /podcasts/timeline/listened/undo': { body: { undo: string }; answer: Affected }
  'POST /podcasts/timeline/queue': { body: TimelineSpan; answer: Affected }
  'POST /queue/items': { body: QueueAddition; answer: Queue }
  'POST /queues': { body: NewQueue; answer: Queue }
  'POST /queues/:id/restore': { answer: Queue }
  'POST /queues/:id/use': { body: QueueChange; answer: Queue }
  'POST /session': { body: { remember?: boolean } | null; answer: void }
  'POST /set-aside/retry': { body: SetAsideKey; answer: void }
  'POST /settings/naming/preview': { body: NamingEdit; answer: NamingPreview }
  'POST /settings/rescan-episodes': { body: Rescan; answer: Renames | JobStarted }
  'POST /skip-marks': { body: NewSkipMark; answer: SkipMark }
  'POST /sys/openid/logout': { answer: unknown }
  'POST /sys/openid/revoke': { answer: unknown }
  'POST /sys/openid/token': { answer: unknown }
  'POST /tags': { body: NewTag; answer: Tag }
  'POST /tags/:id/:podcast': { answer: { tag_id: string; podcast_id: string } }
  'POST /transcriptions/:id/retry': { answer: Transcription }
  'POST /users': { body: SignUp; answer: UserSummary }
  'POST /users/me/appPasswords': { body: AppPasswordName; answer: NewAppPassword }
  'POST /users/me/feedKey': { answer: FeedKey }
  'POST /users/me/passkeys': { body: NewPasskey; answer: Passkey }
  'POST /users/me/passkeys/options': { body: Proof; answer: unknown }
  'POST /users/me/secondFactor': { body: Proof; answer: SecondFactorSecret }
  'POST /users/me/secondFactor/confirm': { body: { code: string }; answer: RecoveryCodes }
  'POST /users/me/secondFactor/recoveryCodes': { body: Proof; answer: RecoveryCodes }
  'PUT /bookmarks/:id': { body: BookmarkEdit; answer: Bookmark }
  'PUT /destinations/:id': { body: DestinationEdit; answer: Destination }
  'PUT /devices/:id': { body: DeviceEdit; answer: Device }
  'PUT /episodes/:eid/newer-recording': { answer: Download }
  'PUT /moves/:id/file': { query: { offset?: number }; answer: Move }
  'PUT /moves/:id/options': { body: MoveOptions; answer: Move }
  'PUT /notifications/dismiss': { body: { id: string }; answer: void }
  'PUT /playlist/:id': { body: PlaylistEdit; answer: Playlist }
  'PUT /playlist/:id/episode/:episode': { body: PlaylistPlace; answer: void }
  'PUT /playlist/:id/played': { answer: void }
  'PUT /playlists/suggestions': { body: SuggestionsChoice; answer: SuggestionsChoice }
  'PUT /podcasts/:id/active': { body: { active: boolean } | null; answer: Podcast }
  'PUT /podcasts/:id/episodes/download': { body: { form?: string } | null; answer: Download }
  'PUT /podcasts/:id/episodes/favor': { body: { favored: boolean }; answer: void }
  'PUT /podcasts/:id/feed': { body: { rssFeedUrl: string }; answer: Podcast }
  'PUT /podcasts/:id/name': { body: { name: string }; answer: Podcast }
  'PUT /podcasts/:id/preferences': { body: PreferencesEdit; answer: Preferences }
  'PUT /podcasts/:id/settings': { body: PodcastSettingsEdit; answer: PodcastSettings }
  'PUT /podcasts/episode/:id/hidden': { answer: void }
  'PUT /podcasts/episode/:id/loudness': { body: MeasuredLoudness; answer: void }
  'PUT /podcasts/favored': { body: { id: string; favored: boolean }; answer: void }
  'PUT /podcasts/filter': { body: FilterEdit; answer: Filter }
  'PUT /queue': { body: QueueOrder; answer: Queue }
  'PUT /queue/continue': { body: Continuing; answer: Queue }
  'PUT /queue/name': { body: QueueName; answer: Queue }
  'PUT /queues/:id': { body: QueueName; answer: Queue }
  'PUT /settings': { body: SettingsEdit; answer: Settings }
  'PUT /settings/name': { body: NamingEdit; answer: Settings }
  'PUT /settings/runcleanup': { answer: CleanedUp }
  'PUT /tags/:id': { body: TagEdit; answer: Tag }
  'PUT /users/:username': { body: UserEdit; answer: User }
  'PUT /users/:username/role': { body: UserChange; answer: UserSummary }
  'PUT /users/:username/username': { body: { username: string }; answer: UserSummary }
  'PUT /users/me/locale': { body: Locale; answer: User }
  'PUT /users/me/passkeys/:id': { body: { name: string }; answer: Passkey }
  'PUT /users/me/skipLengths': { body: SkipLengths; answer: SkipLengths }
  'PUT /users/me/sync': { body: SyncWishes; answer: SyncWishes }
}
