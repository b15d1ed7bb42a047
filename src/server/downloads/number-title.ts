import type { MediaReader } from '../media/reader'
import { describeError, type Log } from '../platform/log'
import type { Store } from '../store'
import { paddedNumber } from './formats'
import type { MediaFiles } from './files'
import type { Names } from './names'
import { replaceTag } from './replace-tag'

type Needs = { store: Store; names: Names; files: MediaFiles; media: MediaReader; log: Log }

/** Writes the number of an episode before the title in its MP3 file, once, if the podcast's settings ask for it. */
export async function numberTitle({ store, names, files, media, log }: Needs, episodeId: number) {
  const episode = store.episodes.find(episodeId)
  if (!episode?.file_path || episode.numbered || episode.file_type !== 'audio/mpeg') return
  if (!names.namingOf(episode.podcast_id).episodeNumbering) return
  const number = paddedNumber(store.episodes.placeOf(episode.podcast_id, episode))
  // The download no longer needs its `.part`; after a crash, recovery removes it.
  const temporary = files.partOf(episode.eid)
  try {
    const path = files.pathOf(episode.file_path)
    const numbered = await media.numberTag(path, number, episode.title)
    const size = numbered && (await replaceTag(path, temporary, numbered.tag, numbered.soundAt))
    store.inTransaction(() => {
      if (size !== null) store.episodes.remeasure(episodeId, { size, duration: null })
      store.episodes.markNumbered(episodeId)
    })
  } catch (error) {
    log.warn('title in the file could not be numbered', { path: episode.file_path, error: describeError(error) })
  }
}
