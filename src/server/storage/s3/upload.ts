import { type FileHandle, open } from 'node:fs/promises'
import { release } from '../../outbound/body'
import { createLanes } from '../../outbound/lanes'
import type { Log } from '../../platform/log'
import { type PutOptions, StorageFailure } from '../storage'
import { type BucketClient, type BucketRequest, nameOf, listOf, textOf } from './client'
import { factsOf, readAnswer, readObject, removeObject } from './objects'

/** The most that a service copies in one request. */
const MAX_COPIED = 5 * 1024 ** 3
const COPY_PART_BYTES = 1024 ** 3
const PARTS_AT_ONCE = 2

export type Uploads = ReturnType<typeof createUploads>

/** Stores files as objects, in parts that are checked one by one; ends every upload that it began. */
export function createUploads(client: BucketClient, log: Log) {
  const multipart = createMultipart(client)
  const sendFile = createSender(client, multipart)
  let isSweepRefused = false

  return {
    /** Stores a local file, and returns once the object is known to hold its bytes. */
    async put(local: string, path: string, options: PutOptions) {
      const file = await open(local)
      try {
        const { size, digest } = await sendFile(file, path, options)
        if (await holds(client, path, { file, size, digest })) return
        await removeObject(client, path).catch(() => undefined)
        throw new StorageFailure('broken', `${nameOf(client.settings)} stored bytes that differ from those sent`)
      } finally {
        await file.close()
      }
    },

    /** Returns whether an object holds the bytes of a local file. */
    async holds(path: string, local: string): Promise<boolean> {
      const file = await open(local)
      try {
        const { size } = await file.stat()
        return await holds(client, path, { file, size, digest: await digestOf(file, size) })
      } finally {
        await file.close()
      }
    },

    /** Copies an object within the bucket. */
    async copy(from: string, to: string, size: number) {
      const source = { 'x-amz-copy-source': client.sourceOf(from) }
      if (size <= MAX_COPIED) {
        const answer = await client.send({ method: 'PUT', path: to, headers: source, copies: size })
        return void (await readAnswer(client, answer, 'CopyObjectResult'))
      }
      await multipart.run(to, {}, undefined, async id => {
        const etags: string[] = []
        for (let at = 0; at < size; at += COPY_PART_BYTES) {
          const range = { 'x-amz-copy-source-range': `bytes=${at}-${Math.min(at + COPY_PART_BYTES, size) - 1}` }
          const query = { partNumber: String(etags.length + 1), uploadId: id }
          const headers = { ...source, ...range }
          const answer = await client.send({ method: 'PUT', path: to, query, headers, copies: COPY_PART_BYTES })
          etags.push(textOf(await readAnswer(client, answer, 'CopyPartResult'), 'ETag'))
        }
        return etags
      })
    },

    /**
     * Ends the uploads below our prefix that this process does not own and that began before `before`, by the clock of
     * the service; returns how many. If a service refuses, that is logged once, and it is not asked again.
     */
    async sweep(before: number): Promise<number> {
      if (isSweepRefused) return 0
      try {
        const strays = await straysBefore(client, multipart.busy, before)
        for (const { path, id } of strays) await multipart.abort(path, id)
        return strays.length
      } catch (error) {
        if (!(error instanceof StorageFailure && error.trouble === 'refused')) throw error
        isSweepRefused = true
        log.info('Media storage does not list unfinished uploads, so the service must end them', {
          storage: nameOf(client.settings),
          reason: error.message,
        })
        return 0
      }
    },
  }
}

type Multipart = ReturnType<typeof createMultipart>

/** Begins, completes and ends uploads of several parts. */
function createMultipart(client: BucketClient) {
  /** Ids of the uploads that this process has begun. */
  const busy = new Set<string>()

  /** Sends parts as one object; an upload that fails leaves nothing behind if the service can be reached. */
  async function run(
    path: string,
    headers: Record<string, string>,
    signal: AbortSignal | undefined,
    send: (id: string) => Promise<string[]>,
  ) {
    const begun = await client.send({ method: 'POST', path, query: { uploads: '' }, headers, signal })
    const id = textOf(await readAnswer(client, begun, 'InitiateMultipartUploadResult'), 'UploadId')
    busy.add(id)
    try {
      await complete(path, id, await send(id))
    } catch (error) {
      await abort(path, id).catch(() => undefined)
      throw error
    } finally {
      busy.delete(id)
    }
  }

  async function complete(path: string, id: string, etags: readonly string[]) {
    const parts = etags.map((etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${etag}</ETag></Part>`)
    const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
    const answer = await client.send({ method: 'POST', path, query: { uploadId: id }, body })
    // If a repeated request finds no upload because the first one has completed it, the object exists.
    if (answer.status === 404) return void (await answer.body?.cancel())
    // Some services name the element after the response.
    await readAnswer(client, answer, 'CompleteMultipartUploadResult', 'CompleteMultipartUploadResponse')
  }

  async function abort(path: string, id: string) {
    const answer = await client.send({ method: 'DELETE', path, query: { uploadId: id } })
    await answer.body?.cancel()
  }

  return { busy, run, abort }
}

/** Creates the function that sends a file as an object, a few parts at a time. */
function createSender(client: BucketClient, multipart: Multipart) {
  const lanes = createLanes({ total: PARTS_AT_ONCE, perHost: PARTS_AT_ONCE })

  async function sendParts(file: FileHandle, size: number, path: string, id: string, signal?: AbortSignal) {
    const partBytes = partBytesOf(size)
    const digests: string[] = []
    const etags: string[] = []
    for (let at = 0; at < size; at += partBytes) {
      const query = { partNumber: String(etags.length + 1), uploadId: id }
      const part = { file, at, length: Math.min(partBytes, size - at) }
      const { etag, md5 } = await sendPart(part, { method: 'PUT', path, query, signal })
      etags.push(etag)
      digests.push(md5.toString('hex'))
    }
    return { etags, digest: digestOfParts(digests) }
  }

  /** Sends a part of a file, of which only a few are in memory at once. */
  const sendPart = ({ file, at, length }: { file: FileHandle; at: number; length: number }, request: BucketRequest) =>
    lanes.run('', async () => {
      request.signal?.throwIfAborted()
      const buffer = Buffer.allocUnsafeSlow(length)
      try {
        const { bytes, md5 } = await readPart(file, buffer, at, length)
        return { etag: await sendChecked({ ...request, body: bytes }, md5), md5 }
      } finally {
        release(buffer)
      }
    })

  /** Sends bytes that the service compares with their digest, and returns their ETag. */
  async function sendChecked(request: BucketRequest, md5: Buffer): Promise<string> {
    const headers = { ...request.headers, 'Content-MD5': md5.toString('base64') }
    const answer = await client.send({ ...request, headers })
    await answer.body?.cancel()
    const etag = answer.headers.get('etag')
    if (!answer.ok || etag === null) throw new StorageFailure('away', `${nameOf(client.settings)} lost an upload`)
    return etag
  }

  return async function sendFile(file: FileHandle, path: string, { type, signal }: PutOptions) {
    const { size } = await file.stat()
    const headers = { 'Content-Type': type }
    if (size > PART_BYTES) {
      let digest = ''
      await multipart.run(path, headers, signal, async id => {
        const sent = await sendParts(file, size, path, id, signal)
        digest = sent.digest
        return sent.etags
      })
      return { size, digest }
    }
    const { md5 } = await sendPart({ file, at: 0, length: size }, { method: 'PUT', path, headers, signal })
    return { size, digest: md5.toString('hex') }
  }
}

/** Lists the uploads that this process does not own and that began before a time of the service's clock. */
async function straysBefore(client: BucketClient, busy: ReadonlySet<string>, before: number) {
  const strays: { path: string; id: string }[] = []
  const { prefix } = client
  for (let from: Record<string, string> = {}; ;) {
    const query = { uploads: '', prefix, ...from }
    const answer = await client.send({ method: 'GET', query, isOptional: true })
    const result = await readAnswer(client, answer, 'ListMultipartUploadsResult')
    for (const upload of listOf(result, 'Upload')) {
      const [key, id] = [textOf(upload, 'Key'), textOf(upload, 'UploadId')]
      const isOld = !(Date.parse(textOf(upload, 'Initiated')) >= before)
      if (isOld && key.startsWith(prefix) && !busy.has(id)) strays.push({ path: key.slice(prefix.length), id })
    }
    if (textOf(result, 'IsTruncated') !== 'true') return strays
    from = {
      'key-marker': textOf(result, 'NextKeyMarker'),
      'upload-id-marker': textOf(result, 'NextUploadIdMarker'),
    }
  }
}

/** Compares an object with a file: by size and ETag, and byte for byte if the service computes other ETags. */
async function holds(
  client: BucketClient,
  path: string,
  { file, size, digest }: { file: FileHandle; size: number; digest: string },
): Promise<boolean> {
  const facts = await factsOf(client, path)
  if (facts?.size !== size) return false
  return facts.etag === `"${digest}"` || holdsBytesOf(client, path, file, size)
}

/** Compares an object with a file, byte for byte. */
async function holdsBytesOf(client: BucketClient, path: string, file: FileHandle, size: number): Promise<boolean> {
  let at = 0
  for await (const chunk of readObject(client, path)) {
    const own = Buffer.alloc(chunk.byteLength)
    const { bytesRead } = await file.read(own, 0, own.length, at)
    if (bytesRead !== chunk.byteLength || !own.equals(chunk)) return false
    at += bytesRead
  }
  return at === size
}

/** The least that services accept as a part that is not the last. */
const PART_BYTES = 5 * 1024 * 1024
const MAX_PARTS = 10_000
const READ_BYTES = 256 * 1024

/** Files that would have more than ten thousand parts get larger ones. */
const partBytesOf = (size: number) => Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS))

/**
 * Reads a part of a file into a buffer, and digests it chunk by chunk, so that nothing has to wait for megabytes at
 * once.
 */
async function readPart(file: FileHandle, buffer: Buffer<ArrayBuffer>, at: number, length: number) {
  const hasher = new Bun.CryptoHasher('md5')
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, Math.min(READ_BYTES, length - filled), at + filled)
    if (bytesRead === 0) throw new Error('a file became shorter while it was sent')
    hasher.update(buffer.subarray(filled, filled + bytesRead))
    filled += bytesRead
  }
  return { bytes: buffer.subarray(0, length), md5: hasher.digest() }
}

/** The digest that most services give an object in parts. */
const digestOfParts = (digests: readonly string[]) =>
  `${new Bun.CryptoHasher('md5').update(Buffer.from(digests.join(''), 'hex')).digest('hex')}-${digests.length}`

/** Computes the digest that a file gets in the parts in which it is sent. */
async function digestOf(file: FileHandle, size: number): Promise<string> {
  const partBytes = partBytesOf(size)
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
  const digests: string[] = []
  for (let at = 0; at < size || at === 0; at += partBytes) {
    const hasher = new Bun.CryptoHasher('md5')
    const end = Math.min(at + partBytes, size)
    for (let position = at; position < end;) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(READ_BYTES, end - position), position)
      if (bytesRead === 0) throw new Error('a file became shorter while it was read')
      hasher.update(buffer.subarray(0, bytesRead))
      position += bytesRead
    }
    digests.push(hasher.digest('hex'))
  }
  return size > PART_BYTES ? digestOfParts(digests) : digests[0]!
}
