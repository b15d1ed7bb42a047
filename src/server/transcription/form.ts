import { extname } from 'node:path'

export type Form = { headers: Record<string, string>; length: number; chunks: AsyncIterable<Uint8Array> }

type File = { path: string; type: string | null; size: number; chunks: AsyncIterable<Uint8Array> }

/** Writes the fields and a file as `multipart/form-data` (RFC 7578), the file last and as it is read. */
export function writeForm(fields: Readonly<Record<string, string>>, file: File): Form {
  const boundary = `castellan-${crypto.randomUUID()}`
  const parts = Object.entries(fields).map(([name, value]) => part(boundary, `name="${name}"`, oneLine(value)))
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(file.type ?? '') ? file.type! : 'application/octet-stream'
  const named = part(boundary, `name="file"; filename="episode${extensionOf(file.path)}"`, '', type).slice(0, -2)
  const head = Buffer.from(parts.join('') + named)
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  return {
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    length: head.byteLength + file.size + tail.byteLength,
    chunks: join(head, file.chunks, tail),
  }
}

async function* join(head: Uint8Array, chunks: AsyncIterable<Uint8Array>, tail: Uint8Array) {
  yield head
  yield* chunks
  yield tail
}

const part = (boundary: string, disposition: string, value: string, type?: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n${value}\r\n`

const oneLine = (value: string) => value.replace(/[\r\n]+/g, ' ')

/** Servers tell formats by the extension. */
const extensionOf = (path: string) => /^\.[a-z0-9]{1,5}$/i.exec(extname(path))?.[0].toLowerCase() ?? ''
