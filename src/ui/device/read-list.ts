import type { OpmlImport } from '../../shared/api/job'

/** More than any list of feeds that the server reads; the rest of a larger file would only fill the memory. */
const MAX_BYTES = 12_000_000

const HEAD_BYTES = 4096

export type ListOfFeeds = Pick<OpmlImport, 'content' | 'bytes'>

/** Reads an OPML file: as text if it is UTF-8, else as bytes, whose charset the server finds. */
export async function readList(file: Blob): Promise<ListOfFeeds> {
  const bytes = new Uint8Array(await file.slice(0, MAX_BYTES).arrayBuffer())
  try {
    const content = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // UTF-16 without a mark is valid UTF-8 full of zeros.
    if (!content.includes('\0')) return { content }
  } catch {
    // Another charset.
  }
  return { bytes: base64Of(bytes) }
}

/** Reads a file if it is a list of feeds; any other file may be gigabytes. */
export async function readArrival(file: File, isOpml: (beginning: string) => boolean) {
  const isList = /\.(opml|xml)$/i.test(file.name) || isOpml((await file.slice(0, HEAD_BYTES).text()).trim())
  return isList ? { list: await readList(file) } : { file }
}

function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}
