import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { requireWritable } from './conditions'
import { xmlAnswer, type Answer, type Exchange } from './exchange'
import { copyPart } from './objects'
import { receiveFile, receiveText } from './receive'
import { element, invalidArgument, readItems, Refusal } from './answers'
import type { Shelf, Stored, Upload } from './shelf'

export type Place = { bucket: string; shelf: Shelf; minPartBytes: number }

const invalidPart = () =>
  new Refusal(400, 'InvalidPart', 'One or more of the specified parts could not be found, or its ETag did not match.')

function requireUpload({ key, query }: Exchange, shelf: Shelf): Upload {
  const upload = shelf.uploads.get(query.get('uploadId') ?? '')
  if (upload?.key === key) return upload
  throw new Refusal(404, 'NoSuchUpload', 'The specified multipart upload does not exist.')
}

export function beginUpload({ key, headers }: Exchange, { bucket, shelf }: Place): Answer {
  const id = shelf.newId()
  const type = headers.get('content-type') ?? 'binary/octet-stream'
  shelf.uploads.set(id, { id, key, type, begun: shelf.now(), parts: new Map() })
  return xmlAnswer(element('InitiateMultipartUploadResult', { Bucket: bucket, Key: key, UploadId: id }))
}

export async function writePart(exchange: Exchange, { bucket, shelf }: Place): Promise<Answer> {
  const upload = requireUpload(exchange, shelf)
  const number = Number(exchange.query.get('partNumber'))
  if (!Number.isInteger(number) || number < 1 || number > 10_000)
    throw invalidArgument('Part number must be an integer between 1 and 10000, inclusive')
  if (exchange.headers.has('x-amz-copy-source')) {
    const { stored, answer } = await copyPart(exchange, bucket, shelf)
    keepPart(exchange, shelf, upload, number, stored)
    return answer
  }
  const stored = await receiveFile(exchange, shelf)
  keepPart(exchange, shelf, upload, number, stored)
  return { status: 200, headers: { ETag: stored.etag } }
}

function keepPart({ fault }: Exchange, shelf: Shelf, upload: Upload, number: number, stored: Stored) {
  if (fault?.kind !== 'lose-part' && shelf.uploads.has(upload.id)) return shelf.keepPart(upload, number, stored)
  rmSync(stored.file, { force: true })
  if (fault?.kind !== 'lose-part') throw new Refusal(404, 'NoSuchUpload')
}

export function abortUpload(exchange: Exchange, { shelf }: Place): Answer {
  shelf.end(requireUpload(exchange, shelf))
  return { status: 204 }
}

export async function completeUpload(exchange: Exchange, place: Place): Promise<Answer> {
  const { bucket, shelf, minPartBytes } = place
  const { key } = exchange
  const upload = requireUpload(exchange, shelf)
  const parts = namedParts(readItems(await receiveText(exchange), 'CompleteMultipartUpload', 'Part'), upload)
  if (parts.slice(0, -1).some(({ size }) => size < minPartBytes))
    throw new Refusal(400, 'EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size')
  requireWritable(exchange, shelf.objects.get(key))
  if (exchange.fault?.kind === 'fail-complete')
    return xmlAnswer(new Refusal(200, 'InternalError', 'We encountered an internal error. Please try again.').body)
  const stored = await join(parts, upload, shelf)
  const etag = exchange.fault?.kind === 'wrong-etag' ? `"${'0'.repeat(32)}-${parts.length}"` : stored.etag
  shelf.keep(key, { ...stored, etag })
  shelf.end(upload)
  return xmlAnswer(
    element('CompleteMultipartUploadResult', { Location: `/${bucket}/${key}`, Bucket: bucket, Key: key, ETag: etag }),
  )
}

/** The parts that a client names, in their order. */
function namedParts(named: Record<string, string>[], upload: Upload): Stored[] {
  let last = 0
  return named.map(({ PartNumber, ETag = '' }) => {
    const number = Number(PartNumber)
    if (number <= last) throw new Refusal(400, 'InvalidPartOrder', 'The list of parts was not in ascending order.')
    last = number
    const part = upload.parts.get(number)
    if (part?.etag !== ETag.trim().replace(/^"?(.*?)"?$/, '"$1"')) throw invalidPart()
    return part
  })
}

async function join(parts: readonly Stored[], { type }: Upload, shelf: Shelf): Promise<Stored> {
  const file = shelf.newFile()
  const digests = createHash('md5')
  for (const part of parts) {
    await pipeline(createReadStream(part.file), createWriteStream(file, { flags: 'a' }))
    digests.update(Buffer.from(part.etag.slice(1, -1), 'hex'))
  }
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  return { file, size, type, etag: `"${digests.digest('hex')}-${parts.length}"`, modified: shelf.now() }
}
