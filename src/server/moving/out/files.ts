import type { MediaStorage } from '../../storage'
import { filesOf, type Leaving } from './leaving'
import { nameCells, nameHeads, row } from './tables'
import type { ZipEntry } from './write-zip'

export const FILE_FOLDER = 'files/'

/** Files that could not be packed whole, by the id of their episode. */
export type Torsos = Map<number, 'missing' | 'incomplete'>

/** Reads the files of a person's podcasts from their storage, and notes in `torsos` those that cannot be read. */
export async function* fileEntries(leaving: Leaving, torsos: Torsos): AsyncGenerator<ZipEntry> {
  const { files } = leaving
  if (files === null) return
  for await (const page of filesOf(leaving))
    for (const { id, file_path, file_storage, downloaded_at } of page) {
      const storage = files.storageOf(file_storage)
      const size = await storage.sizeOf(file_path).catch(() => null)
      if (size === null) {
        torsos.set(id, 'missing')
        continue
      }
      const content = readFile(storage, file_path, () => torsos.set(id, 'incomplete'))
      yield { name: `${FILE_FOLDER}${file_path}`, at: downloaded_at ?? leaving.now, isPacked: false, content }
    }
}

/** Reads a file to its end, or to where its disk fails: one bad file must not end a whole export. */
async function* readFile(storage: MediaStorage, path: string, onFailure: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* storage.chunks(path)
  } catch {
    onFailure()
  }
}

/** Writes which file belongs to which episode, and whether it is in the archive. */
export async function* writeFileTable(leaving: Leaving, torsos: Torsos): AsyncGenerator<string> {
  yield row(['file', 'bytes', 'in this archive', 'podcast', 'episode', ...nameHeads])
  for await (const page of filesOf(leaving))
    yield page
      .map(one => {
        const isInside = leaving.files === null ? 'no' : (torsos.get(one.id) ?? 'yes')
        const name = `${leaving.files === null ? '' : FILE_FOLDER}${one.file_path}`
        return row([name, one.file_size, isInside, one.podcast_title, one.title, ...nameCells(one)])
      })
      .join('')
}
