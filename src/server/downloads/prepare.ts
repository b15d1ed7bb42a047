import type { MediaReader } from '../media/reader'
import type { Cover, Tags } from '../media/write-tags'
import { type Piece, writePieces } from '../media/write-tags/tags'
import { describeError, type Log } from '../platform/log'
import type { MediaFiles } from '../storage'
import type { MediaFolder } from '../storage/folder'
import type { Store } from '../store'
import type { EpisodeRow } from '../store/episodes'
import { dayOf, paddedNumber, type Names } from './names'
import { placeOf } from '../store/file-place'

type Needs = {
  store: Store
  names: Names
  folder: MediaFolder
  media: MediaReader
  coverOf: FindCover
  log: Log
}

/** A complete local file, named by its absolute path. */
type LocalFile = { local: string; size: number; type: string }
/** The file that is put in place: the file as received, or a copy with what the settings ask for. */
type Prepared = { local: string; size: number; isNumbered: boolean }

/**
 * Makes the copy of an episode's file that the settings ask for: with tags, or an MP3 whose title begins with the
 * number of the episode. Returns the file itself if nothing is to be changed, or nothing can be. The caller removes the
 * copy by `removePrepared`.
 */
export async function prepare(needs: Needs, episodeId: number, file: LocalFile): Promise<Prepared> {
  const { store, names, folder, log } = needs
  const asItCame = { local: file.local, size: file.size, isNumbered: false }
  const episode = store.episodes.find(episodeId)
  if (!episode) return asItCame
  const isNumbered = file.type === 'audio/mpeg' && names.namingOf(episode.podcast_id).episodeNumbering
  try {
    const pieces =
      (await tagged(needs, episode, file, isNumbered)) ??
      (isNumbered && !episode.numbered ? await numbered(needs, episode, file) : null)
    if (!pieces) return { ...asItCame, isNumbered: isNumbered && !episode.numbered }
    const local = folder.partOf(nameOf(episode.eid))
    return { local, size: await writePieces(file.local, local, pieces), isNumbered }
  } catch (error) {
    log.warn('Tags or number could not be written into the file', {
      episode: episode.title,
      error: describeError(error),
    })
    return asItCame
  }
}

/** The file with tags; null if the settings ask for none, or the file's kind keeps its tags. */
async function tagged(
  { store, media, coverOf, log }: Needs,
  episode: EpisodeRow,
  file: LocalFile,
  isNumbered: boolean,
) {
  if (!store.settings.current().writeTags) return null
  const tags = await tagsOf(store, coverOf, episode, isNumbered)
  const { pieces, refusal } = await media.writeTags(file.local, file.type, tags)
  if (refusal) log.info('File keeps its tags', { episode: episode.title, reason: refusal })
  return pieces
}

/** The file with the number before its title; null if it stays as it is. */
async function numbered({ store, media }: Needs, episode: EpisodeRow, file: LocalFile): Promise<Piece[] | null> {
  const number = paddedNumber(store.episodes.placeOf(episode.podcast_id, episode))
  const found = await media.numberTag(file.local, number, episode.title)
  return found && [found.tag, { from: found.soundAt, to: file.size }]
}

/** Removes the copy of an episode's file, if one was made. */
export const removePrepared = (folder: MediaFolder, eid: string) => folder.removePart(nameOf(eid))

/** Belongs to no download by its name: the next start deletes what a killed process left. */
const nameOf = (eid: string) => `${eid}.ready`

/** Returns the cover of a podcast; null until it has been fetched. */
export type FindCover = (podcastId: number) => Promise<Cover | null>

/** The tags of an episode's file, with its number before the title if the settings ask for that. */
async function tagsOf(store: Store, coverOf: FindCover, episode: EpisodeRow, isNumbered: boolean): Promise<Tags> {
  const podcast = store.podcasts.find(episode.podcast_id)!
  const place = store.episodes.placeOf(episode.podcast_id, episode)
  return {
    title: isNumbered ? `${paddedNumber(place)} ${episode.title}` : episode.title,
    album: podcast.title,
    artist: podcast.author,
    date: episode.dated ? dayOf(episode.published_at) : null,
    number: episode.number ?? place.number,
    cover: await coverOf(episode.podcast_id),
  }
}

type NumberNeeds = Omit<Needs, 'folder'> & { files: MediaFiles }

/** Numbers the title in a file that is in place, once, if the podcast's settings ask for it. */
export async function numberTitle(needs: NumberNeeds, episodeId: number) {
  const { store, names, files, log } = needs
  const { folder } = files
  const episode = store.episodes.find(episodeId)
  const place = episode && placeOf(episode)
  if (!place || episode.numbered || episode.file_type !== 'audio/mpeg') return
  if (!names.namingOf(episode.podcast_id).episodeNumbering) return
  try {
    folder.open()
    await files.withLocal(place, async local => {
      const file = { local, size: episode.file_size ?? 0, type: episode.file_type! }
      const prepared = await prepare({ ...needs, folder }, episodeId, file)
      if (!prepared.isNumbered) return
      if (prepared.local !== local)
        await files.storageOf(place.storage).put(prepared.local, place.path, { type: file.type })
      await store.whenWritable()
      store.inTransaction(() => {
        if (!store.episodes.hasFile(episodeId, place.path)) return
        if (prepared.local !== local) store.episodes.remeasure(episodeId, { size: prepared.size, duration: null })
        store.episodes.markNumbered(episodeId)
      })
    })
  } catch (error) {
    log.warn('Title in the file could not be numbered', { path: place.path, error: describeError(error) })
  } finally {
    await removePrepared(folder, episode.eid)
  }
}
