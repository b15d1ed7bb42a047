import { open } from 'node:fs/promises'
import { dirname, join, parse } from 'node:path/posix'
import { escapeText } from 'entities/escape'
import type { BegunWork } from '../begun-work'
import type { Covers } from '../covers/covers'
import type { CoverFile } from '../covers/sizes'
import { textOf } from '../feeds/parse/notes-text'
import { type Clock, MINUTE } from '../platform/clock'
import type { Listeners } from '../platform/events'
import { describeError, type Log } from '../platform/log'
import type { MediaFolder } from '../storage/folder'
import type { Store } from '../store'
import type { EpisodeRow } from '../store/episodes'

// Why: docs/internals/decisions/0042

type SidecarNeeds = {
  store: Store
  folder: MediaFolder
  covers: Pick<Covers, 'stored'>
  now: Clock
  log: Log
  begun: BegunWork
}
type State = Omit<SidecarNeeds, 'folder'> & { files: SidecarFiles; isStopping: boolean; retryAt: number }
type SidecarFiles = ReturnType<typeof sidecarFiles>

const MAX_AT_ONCE = 200
const RETRY_MS = 10 * MINUTE

/**
 * Covers and NFO files next to the files of episodes, for programs that read the folder. The database notes each path
 * before it is written, and which episodes need it; a file that is not noted is somebody else's, and stays as it is.
 */
export function createSidecars(needs: SidecarNeeds) {
  const state: State = { ...needs, files: sidecarFiles(needs.folder), isStopping: false, retryAt: 0 }
  let running: Promise<void> | null = null
  /** Writes and removes what is due. A failure waits for ten minutes. */
  const update = () =>
    (running ??= runDue(state)
      .catch(error => {
        state.retryAt = needs.now() + RETRY_MS
        needs.log.warn('Covers and NFO files could not be written', { error: describeError(error) })
      })
      .finally(() => (running = null)))
  return {
    update,
    listeners: {
      downloadFinished: update,
      fileRemoved: update,
      coverStored({ podcastId }) {
        needs.store.sidecars.recheck(podcastId)
        return update()
      },
    } satisfies Listeners,
    async stop() {
      state.isStopping = true
      await running
    },
  }
}

async function runDue(state: State) {
  const { store, files, now } = state
  if (now() < state.retryAt && now() >= state.retryAt - RETRY_MS) return
  while (!state.isStopping && files.isPresent()) {
    const orphans = store.sidecars.orphans(MAX_AT_ONCE)
    const due = store.sidecars.due(MAX_AT_ONCE)
    if (orphans.length + due.length === 0) return
    for (const path of orphans) {
      if (path !== '' && !store.sidecars.isNeeded(path, null)) await files.remove(path)
      await store.whenWritable()
      store.sidecars.releaseOrphans(path)
    }
    for (const id of due) {
      if (state.isStopping) break
      const item = { kind: 'sidecar', key: String(id), label: store.episodes.find(id)?.title ?? String(id) } as const
      await state.begun.run(
        item,
        () => updateEpisode(state, id),
        () => store.sidecars.lookedAt(id),
      )
    }
  }
}

/** Writes the sidecars that an episode's file needs, and removes those that it no longer needs. */
async function updateEpisode(state: State, id: number) {
  const { store } = state
  const episode = store.episodes.find(id)
  const place = episode && placeInFolder(episode)
  const known = new Set(store.sidecars.pathsOf(id))
  const cover = place && coverOf(state, episode)
  const isOn = store.settings.current().sidecars
  const wanted = place
    ? sidecarsOf(place.path, place.type, cover?.type ?? null).filter(({ path }) => isOn || known.has(path))
    : []
  for (const sidecar of wanted) await write(state, episode!, sidecar, cover)
  const paths = new Set(wanted.map(({ path }) => path))
  for (const path of known) if (!paths.has(path)) await release(state, id, path)
  await store.whenWritable()
  store.sidecars.lookedAt(id)
}

/** The place and type of a file in the media folder; no other program reads what is on S3. */
const placeInFolder = ({ file_path: path, file_storage, file_type }: EpisodeRow) =>
  path === null || file_storage !== 'folder' ? null : { path, type: file_type ?? '' }

const coverOf = ({ covers }: State, { podcast_id, podcast_image }: EpisodeRow) =>
  podcast_image === null ? null : covers.stored(podcast_id, podcast_image)

async function write({ store, files }: State, episode: EpisodeRow, { path, kind }: Sidecar, cover: CoverFile | null) {
  if (!store.sidecars.isOurs(path) && files.exists(path)) return
  await store.whenWritable()
  store.sidecars.note(path, episode.id)
  const content = kind === 'cover' ? null : Buffer.from(contentOf(store, episode, kind))
  const digest = content ? Bun.hash(content).toString(36) : cover!.digest
  if (store.sidecars.digestOf(path) !== digest)
    await files.write(path, content ?? (await Bun.file(cover!.path).bytes()))
  await store.whenWritable()
  store.sidecars.settle(path, digest)
}

/** The file is deleted together with the last episode that needs it, and is forgotten only then. */
async function release({ store, files }: State, episodeId: number, path: string) {
  if (!store.sidecars.isNeeded(path, episodeId)) await files.remove(path)
  await store.whenWritable()
  store.sidecars.release(path, episodeId)
}

function contentOf({ episodes, podcasts }: Store, episode: EpisodeRow, kind: Exclude<SidecarKind, 'cover'>): string {
  const podcast = podcasts.find(episode.podcast_id)!
  if (kind === 'album') return albumNfo(podcast)
  if (kind === 'show') return showNfo(podcast)
  return episodeNfo(episode, podcast, episodes.placeOf(episode.podcast_id, episode).number)
}

/** The name of the unfinished file; the next start deletes what a killed process left of it. */
const PART = 'sidecar'

/** Small files in the media folder, by their paths below it. One is written at a time. */
const sidecarFiles = (folder: MediaFolder) => ({
  /** Whether the folder is mounted; nothing is done while it is not. */
  isPresent: folder.isPresent,
  exists: folder.exists,
  /** Writes a complete file, or leaves the existing one. */
  async write(path: string, bytes: Uint8Array) {
    folder.open()
    const file = await open(folder.partOf(PART), 'w')
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await folder.moveInto(folder.partOf(PART), path)
  },
  /** Deletes a file, if it is there, and any folders this leaves empty. */
  remove: folder.remove,
})

type SidecarKind = 'cover' | 'album' | 'show' | 'episode'
type Sidecar = { path: string; kind: SidecarKind }

/** Extensions of covers that both programs show. */
const covers: Record<string, string> = { 'image/jpeg': 'jpg', 'image/png': 'png' }

/**
 * Lists the sidecars of an episode's file, `file` below the media folder. An audio file has an NFO of the album in its
 * folder; a video has one of the episode, and one of the series in the podcast's folder. The cover is in both folders.
 */
export function sidecarsOf(file: string, type: string, coverType: string | null): Sidecar[] {
  const folder = dirname(file)
  const top = file.split('/')[0]!
  // A file in no folder would share its sidecars with other podcasts.
  if (folder === '.') return []
  const cover = covers[coverType ?? '']
  const found: Sidecar[] = []
  if (cover)
    for (const place of new Set([folder, top])) found.push({ path: join(place, `folder.${cover}`), kind: 'cover' })
  if (!type.startsWith('video/')) return [...found, { path: join(folder, 'album.nfo'), kind: 'album' }]
  return [
    ...found,
    { path: join(top, 'tvshow.nfo'), kind: 'show' },
    { path: join(folder, `${parse(file).name}.nfo`), kind: 'episode' },
  ]
}

// https://kodi.wiki/view/NFO_files and https://jellyfin.org/docs/general/server/metadata/nfo: XML whose root says what
// the file describes. Both programs read the elements that are used here.

type Podcast = { title: string; author: string | null; summary: string | null }
type Episode = {
  title: string
  notes: string
  published_at: number
  dated: number
  duration: number
  season: number | null
  number: number | null
}

const MAX_CHARACTERS = 4000

/** A podcast as an album: what its episodes have in common. Their own facts are read from their tags. */
export const albumNfo = ({ title, author, summary }: Podcast): string =>
  document('album', [
    ['title', title],
    ['artist', author],
    ['albumartist', author],
    ['genre', 'Podcast'],
    ['review', summary && textOf(summary)],
  ])

/** A podcast of videos as a series. */
export const showNfo = ({ title, author, summary }: Podcast): string =>
  document('tvshow', [
    ['title', title],
    ['studio', author],
    ['genre', 'Podcast'],
    ['plot', summary && textOf(summary)],
  ])

/**
 * A video as an episode of a series. Without season and number, it gets its year and its `place` in the podcast, since
 * both programs leave out episodes without them.
 */
export function episodeNfo(episode: Episode, { title, author }: Podcast, place: number): string {
  const day = episode.dated ? new Date(episode.published_at).toISOString().slice(0, 10) : null
  const isCounted = episode.season !== null && episode.number !== null
  return document('episodedetails', [
    ['title', episode.title],
    ['showtitle', title],
    ['season', String(isCounted ? episode.season : (day?.slice(0, 4) ?? 1))],
    ['episode', String(isCounted ? episode.number : place)],
    ['aired', day],
    ['studio', author],
    ['runtime', episode.duration > 0 ? String(Math.ceil(episode.duration / 60)) : null],
    ['plot', textOf(episode.notes)],
  ])
}

function document(root: string, elements: readonly (readonly [string, string | null])[]): string {
  const lines = elements.flatMap(([name, text]) => (text ? [`  <${name}>${written(text)}</${name}>\n`] : []))
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<${root}>\n${lines.join('')}</${root}>\n`
}

/** Cuts a text and removes the characters that XML cannot represent. */
const written = (text: string): string =>
  escapeText(
    text
      .slice(0, MAX_CHARACTERS)
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''),
  )
