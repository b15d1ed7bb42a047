import { createHash, timingSafeEqual } from 'node:crypto'
import { createReadStream, rmSync, truncateSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { Exchange } from './exchange'
import { notImplemented, Refusal } from './answers'
import type { Shelf, Stored } from './shelf'

const MAX_BYTES = 5 * 1024 ** 3
const MAX_TEXT_BYTES = 2 * 1024 ** 2

/** Yields the body of a request, or cuts the connection as the fault says. */
async function* bodyOf({ request, fault, received }: Exchange) {
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength
    received(chunk.byteLength)
    if (fault?.kind === 'cut-upload' && bytes > fault.afterBytes) request.socket.destroy()
    yield chunk
  }
}

const badDigest = (code = 'BadDigest') =>
  new Refusal(400, code, 'The Content-MD5 or checksum value that you specified did not match what the server received.')

/** Compares the bytes of a request with every digest that it names. */
function createDigests({ headers, payload }: Pick<Exchange, 'headers' | 'payload'>) {
  const md5 = createHash('md5')
  const sha256 = createHash('sha256')
  let crc = 0
  for (const name of headers.keys())
    if (/^x-amz-(checksum-(?!sha256$|crc32$)|trailer)/.test(name)) throw notImplemented(name)
  return {
    update(chunk: Buffer) {
      md5.update(chunk)
      sha256.update(chunk)
      crc = crc32(chunk, crc)
    },
    /** Returns the MD5 in hexadecimal digits; throws `Refusal` if a digest does not fit. */
    finish(): string {
      const [digest, sha] = [md5.digest(), sha256.digest()]
      const crcBytes = Buffer.alloc(4)
      crcBytes.writeUInt32BE(crc)
      expect(headers.get('content-md5'), digest, 'base64')
      expect(headers.get('x-amz-checksum-sha256'), sha, 'base64')
      expect(headers.get('x-amz-checksum-crc32'), crcBytes, 'base64')
      if (payload !== 'UNSIGNED-PAYLOAD') expect(payload, sha, 'hex', 'XAmzContentSHA256Mismatch')
      return digest.toString('hex')
    },
  }
}

function expect(named: string | undefined, found: Buffer, encoding: 'base64' | 'hex', code?: string) {
  if (named === undefined) return
  const wanted = Buffer.from(named, encoding)
  if (wanted.byteLength !== found.byteLength) throw new Refusal(400, 'InvalidDigest')
  if (!timingSafeEqual(wanted, found)) throw badDigest(code)
}

/** Reads a short body, such as the list of the parts of an upload. */
export async function receiveText(exchange: Exchange): Promise<string> {
  const digests = createDigests(exchange)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of bodyOf(exchange)) {
    bytes += chunk.byteLength
    if (bytes > MAX_TEXT_BYTES) throw new Refusal(400, 'MaxMessageLengthExceeded')
    digests.update(chunk)
    chunks.push(chunk)
  }
  digests.finish()
  return Buffer.concat(chunks).toString()
}

/** Writes the body of a request to a file of its own; nothing is left of it if a digest does not fit. */
export async function receiveFile(exchange: Exchange, shelf: Shelf): Promise<Stored> {
  const length = exchange.headers.get('content-length')
  if (length === undefined) throw new Refusal(411, 'MissingContentLength')
  if (Number(length) > MAX_BYTES) throw new Refusal(400, 'EntityTooLarge')
  const digests = createDigests(exchange)
  const path = shelf.newFile()
  const file = await open(path, 'wx')
  let size = 0
  try {
    for await (const chunk of bodyOf(exchange)) {
      digests.update(chunk)
      await file.write(chunk)
      size += chunk.byteLength
    }
    if (size !== Number(length)) throw new Refusal(400, 'IncompleteBody')
    const etag = digests.finish()
    await file.close()
    const type = exchange.headers.get('content-type') ?? 'binary/octet-stream'
    return await damage({ file: path, size, etag: `"${etag}"`, type, modified: shelf.now() }, exchange)
  } catch (error) {
    await file.close().catch(() => undefined)
    rmSync(path, { force: true })
    throw error
  }
}

/** Spoils what was stored, if the test asked for it. */
async function damage(stored: Stored, { fault }: Exchange): Promise<Stored> {
  if (fault?.kind === 'wrong-etag') return { ...stored, etag: `"${'0'.repeat(32)}"` }
  if (fault?.kind !== 'store-wrong' || stored.size === 0) return stored
  const size = fault.as === 'shorter' ? stored.size - 1 : stored.size
  if (fault.as === 'shorter') truncateSync(stored.file, size)
  else await flipFirstByte(stored.file)
  return { ...stored, size, etag: `"${await md5OfFile(stored.file)}"` }
}

async function flipFirstByte(path: string) {
  const file = await open(path, 'r+')
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, 0)
  await file.write(Buffer.from([buffer[0]! ^ 0xff]), 0, 1, 0)
  await file.close()
}

export async function md5OfFile(path: string, span: { start?: number; end?: number } = {}): Promise<string> {
  const md5 = createHash('md5')
  for await (const chunk of createReadStream(path, span)) md5.update(chunk)
  return md5.digest('hex')
}
