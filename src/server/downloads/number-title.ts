import type { MediaReader } from '../media/reader'
import { describeError, type Log } from '../platform/log'
import type { MediaFiles } from '../storage'
import type { Store } from '../store'
import type { Names } from './names'
import { placeOf } from './places'
import { prepare, removePrepared } from './prepare'
import type { FindCover } from './tags-of'

type Needs = { store: Store; names: Names; files: MediaFiles; media: MediaReader; coverOf: FindCover; log: Log }

/** Numbers the title in a file that is in place, once, if the podcast's settings ask for it. */
export async function numberTitle(needs: Needs, episodeId: number) {
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
    log.warn('title in the file could not be numbered', { path: place.path, error: describeError(error) })
  } finally {
    await removePrepared(folder, episode.eid)
  }
}
