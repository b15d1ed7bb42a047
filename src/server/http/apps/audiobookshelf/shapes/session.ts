import type { CataloguePodcast } from '../../../../store/catalogue'
import type { PlaySessionRow, ProgressRow } from '../../../../store/playback'
import type { UserRow } from '../../../../store/users'
import { fieldsOf } from '../protocol'
import { SERVER_VERSION } from '../status'
import { type EpisodeOut, trackOf } from './episode'
import { coverPathOf, presentMetadata } from './library'

const MAX_TEXT = 100
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

/** Everything that an app says about itself and its device; empty texts for what it does not say. */
type AppInfo = Record<(typeof infoFields)[number] | 'mediaPlayer', string>
const infoFields = [
  'deviceId',
  'clientVersion',
  'manufacturer',
  'model',
  'sdkVersion',
  'clientName',
  'deviceName',
] as const

/** Reads what an app says about itself, with texts limited in length. */
export function readAppInfo(deviceInfo: unknown, mediaPlayer: unknown): AppInfo {
  const fields = fieldsOf(deviceInfo)
  const info = Object.fromEntries(infoFields.map(name => [name, shortText(fields[name])])) as AppInfo
  return { ...info, mediaPlayer: shortText(mediaPlayer) }
}

const shortText = (given: unknown): string =>
  typeof given === 'string' || typeof given === 'number' ? String(given).slice(0, MAX_TEXT).toWellFormed() : ''

/** The device as people know it. */
const deviceNameOf = ({ model, clientName, deviceName }: AppInfo): string => deviceName || model || clientName || 'App'

/** The columns of a session that come from the app. */
export const deviceOf = (info: AppInfo) => ({
  device_id: info.deviceId,
  device_name: deviceNameOf(info),
  info: JSON.stringify(info),
})

const infoOf = ({ info }: Pick<PlaySessionRow, 'info'>) => JSON.parse(info) as AppInfo

/** A device has no keys for what its app did not say. */
const withoutEmpty = (device: Record<string, string>): Partial<Record<string, string>> =>
  Object.fromEntries(Object.entries(device).filter(([, said]) => said !== ''))

/** A session, its user, and what it plays. */
export type Played = {
  session: PlaySessionRow
  user: UserRow
  libraryId: string
  podcast: CataloguePodcast
  episode: EpisodeOut
}

/** A session without its tracks and the podcast, as lists have it. */
export function presentSession({ session, user, libraryId, podcast, episode }: Played) {
  const { mediaPlayer, ...device } = infoOf(session)
  const began = new Date(session.started_at)
  return {
    id: session.uuid,
    userId: user.uuid,
    libraryId,
    libraryItemId: podcast.uuid,
    bookId: null,
    episodeId: episode.id,
    mediaType: 'podcast',
    mediaMetadata: presentMetadata(podcast),
    chapters: episode.chapters,
    displayTitle: episode.title,
    displayAuthor: podcast.author ?? '',
    coverPath: coverPathOf(podcast),
    duration: episode.audioFile.duration,
    playMethod: 0,
    mediaPlayer: mediaPlayer || 'unknown',
    deviceInfo: { id: session.uuid, userId: user.uuid, ...withoutEmpty(device), deviceName: session.device_name },
    serverVersion: SERVER_VERSION,
    date: began.toISOString().slice(0, 10),
    dayOfWeek: days[began.getUTCDay()]!,
    timeListening: Math.floor(session.listened),
    startTime: session.start_position,
    currentTime: session.position,
    startedAt: session.started_at,
    updatedAt: session.updated_at,
  }
}

/** A session with the tracks and the podcast, as a player needs them. */
export const presentOpenSession = (played: Played, libraryItem: object) => ({
  ...presentSession(played),
  audioTracks: [trackOf(played.episode)],
  libraryItem,
})

export type ProgressOut = ReturnType<typeof presentProgress>

/** The position of a user in an episode. */
export function presentProgress(row: ProgressRow, userUuid: string) {
  const duration = row.total || row.duration || 3600
  const at = Math.floor(row.updated_at)
  return {
    id: row.episode,
    userId: userUuid,
    libraryItemId: row.podcast,
    episodeId: row.episode,
    mediaItemId: row.episode,
    mediaItemType: 'podcastEpisode',
    duration,
    progress: row.finished ? 1 : Math.min(row.position / duration, 1),
    currentTime: row.position,
    isFinished: row.finished === 1,
    hideFromContinueListening: row.hidden === 1,
    ebookLocation: null,
    ebookProgress: 0,
    lastUpdate: at,
    startedAt: at,
    finishedAt: row.finished ? at : null,
  }
}
