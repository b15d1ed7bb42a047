import { copyFileSync, createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { isKnown, readRange, requireWritable } from './conditions'
import { xmlAnswer, type Answer, type Exchange } from './exchange'
import { md5OfFile, receiveFile, receiveText } from './receive'
import { element, invalidArgument, noSuchKey, preconditionFailed, readItems, Refusal } from './answers'
import type { Shelf, Stored } from './shelf'

const MAX_COPIED = 5 * 1024 ** 3

/** Answers of a read that its query may set, each with the header it becomes. */
const overrides: Record<string, string> = {
  'response-content-type': 'Content-Type',
  'response-content-disposition': 'Content-Disposition',
  'response-content-language': 'Content-Language',
  'response-content-encoding': 'Content-Encoding',
  'response-cache-control': 'Cache-Control',
  'response-expires': 'Expires',
}

export function readObject(exchange: Exchange, shelf: Shelf): Answer {
  const { key, query, headers, fault } = exchange
  const stored = shelf.objects.get(key)
  if (!stored) throw noSuchKey(key)
  const facts = { ETag: stored.etag, 'Last-Modified': new Date(stored.modified).toUTCString() }
  if (isKnown(exchange, stored)) return { status: 304, headers: facts }
  const range = fault?.kind === 'ignore-range' ? null : readRange(headers.get('range'), stored.size)
  const { from, to } = range ?? { from: 0, to: stored.size }
  const wanted = [...query].filter(([name]) => name in overrides).map(([name, value]) => [overrides[name]!, value])
  return {
    status: range ? 206 : 200,
    headers: {
      ...facts,
      'Accept-Ranges': 'bytes',
      'Content-Type': stored.type,
      'Content-Length': String(to - from),
      ...(range && { 'Content-Range': `bytes ${from}-${to - 1}/${stored.size}` }),
      ...Object.fromEntries(wanted),
    },
    file: { stored, from, to },
  }
}

export async function writeObject(exchange: Exchange, shelf: Shelf): Promise<Answer> {
  const { key } = exchange
  requireWritable(exchange, shelf.objects.get(key))
  const stored = await receiveFile(exchange, shelf)
  shelf.keep(key, stored)
  return { status: 200, headers: { ETag: stored.etag } }
}

export function removeObject({ key }: Exchange, shelf: Shelf): Answer {
  shelf.remove(key)
  return { status: 204 }
}

export async function removeObjects(exchange: Exchange, shelf: Shelf): Promise<Answer> {
  const { headers } = exchange
  if (!headers.has('content-md5') && ![...headers.keys()].some(name => name.startsWith('x-amz-checksum-')))
    throw new Refusal(400, 'InvalidRequest', 'Missing required header for this request: Content-MD5')
  const keys = readItems(await receiveText(exchange), 'Delete', 'Object').map(({ Key }) => Key ?? '')
  if (keys.length > 1000) throw new Refusal(400, 'MalformedXML')
  for (const key of keys) shelf.remove(key)
  return xmlAnswer(element('DeleteResult', { Deleted: keys.map(Key => ({ Key })) }))
}

/** The object that a copy names in `x-amz-copy-source`. */
export function sourceOf({ headers }: Exchange, bucket: string, shelf: Shelf): Stored {
  const [, named, key = ''] = /^\/?([^/]+)\/(.+)$/s.exec(decodeURIComponent(headers.get('x-amz-copy-source')!)) ?? []
  if (named === undefined) throw invalidArgument('Copy Source must mention the source bucket and key')
  if (named !== bucket) throw new Refusal(404, 'NoSuchBucket')
  const stored = shelf.objects.get(key)
  if (!stored) throw noSuchKey(key)
  const match = headers.get('x-amz-copy-source-if-match')
  if (match !== undefined && match !== stored.etag) throw preconditionFailed('x-amz-copy-source-if-match')
  return stored
}

export async function copyObject(exchange: Exchange, bucket: string, shelf: Shelf): Promise<Answer> {
  const { key, headers } = exchange
  const source = sourceOf(exchange, bucket, shelf)
  const isReplaced = headers.get('x-amz-metadata-directive') === 'REPLACE'
  if (source === shelf.objects.get(key) && !isReplaced)
    throw new Refusal(400, 'InvalidRequest', 'This copy request is illegal: it copies an object to itself')
  if (source.size > MAX_COPIED) throw new Refusal(400, 'InvalidRequest', 'The specified copy source is too large')
  const type = (isReplaced ? headers.get('content-type') : undefined) ?? source.type
  const file = shelf.newFile()
  copyFileSync(source.file, file)
  const stored = { ...source, file, type, etag: `"${await md5OfFile(file)}"`, modified: shelf.now() }
  shelf.keep(key, stored)
  return copied('CopyObjectResult', stored)
}

const copied = (root: string, { etag, modified }: Stored) =>
  xmlAnswer(element(root, { LastModified: new Date(modified).toISOString(), ETag: etag }))

/** Copies a range of an object into a file of its own. */
export async function copyPart(exchange: Exchange, bucket: string, shelf: Shelf) {
  const source = sourceOf(exchange, bucket, shelf)
  const range = exchange.headers.get('x-amz-copy-source-range')
  const { from, to } = readRange(range, source.size) ?? { from: 0, to: source.size }
  if (range !== undefined && !range.endsWith(`-${to - 1}`)) throw invalidArgument('The range is not valid')
  const file = shelf.newFile()
  await pipeline(createReadStream(source.file, { start: from, end: to - 1 }), createWriteStream(file))
  const etag = `"${await md5OfFile(file)}"`
  const stored = { file, size: to - from, etag, type: source.type, modified: shelf.now() }
  return { stored, answer: copied('CopyPartResult', stored) }
}
