import fc from 'fast-check'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { applyDigest } from '../../../src/server/feeds/apply/apply'
import { digestFeed, type Digest } from '../../../src/server/feeds/apply/digest'
import { openStore } from '../../../src/server/store'
import { mutated } from '../mutate'
import { mutatedJson } from '../mutate-json'
import { require, type Target } from '../target'
import { requireSafe } from './notes'

const address = 'https://pod.example/feed.xml'
const MAX_BYTES = 1_000_000
/** Short addresses that are made absolute, and signs that are escaped, may well make a feed a few times longer. */
const MAX_GROWTH = 60
const ALLOWANCE = 200_000

const encoders: Record<string, (text: string) => Uint8Array> = {
  'utf-8': text => new TextEncoder().encode(text),
  'utf-8 with mark': text => new TextEncoder().encode(`\uFEFF${text}`),
  'utf-16le': text => Buffer.from(text, 'utf16le'),
  'utf-16be with mark': text => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  'iso-8859-1': text => Buffer.from(text, 'latin1'),
  'cut bytes': text => new TextEncoder().encode(text).slice(0, -1),
}
const packers: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  none: bytes => bytes,
  gzip: bytes => gzipSync(bytes),
  'gzip, cut short': bytes => gzipSync(bytes).subarray(0, -12),
  'gzip in gzip': bytes => gzipSync(gzipSync(bytes)),
  deflate: bytes => deflateSync(bytes),
  'raw deflate': bytes => deflateRawSync(bytes),
  br: bytes => brotliCompressSync(bytes),
}
const headers = ['', 'gzip', 'br', 'deflate', 'identity', 'x-gzip, br']
const types = [
  '',
  'text/xml',
  'text/xml; charset=iso-8859-1',
  'text/xml; charset=nonsense',
  'application/json; charset="utf-16"',
  'x; charset=iso-2022-jp',
]

type FeedInput = { text: string; encoding: string; packing: string; contentEncoding: string; contentType: string }

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

const requestOf = ({ text, encoding, packing, contentEncoding, contentType }: FeedInput) => ({
  body: packers[packing]!(encoders[encoding]!(text)),
  contentEncoding,
  contentType,
  address,
  maxBytes: MAX_BYTES,
})

/** Stores a body as a refresh does, twice: stored episodes must be recognised when the same body comes again. */
export function feeds(seeds: readonly string[]): Target<FeedInput> {
  const store = openStore(':memory:')
  const user = store.users.add({ username: 'admin', role: 'admin', explicit_consent: 1 }, 0)
  let last = 0

  return {
    name: 'feeds',
    texts: ['text'],
    inputs: fc.record({
      text: fc.oneof(
        { weight: 4, arbitrary: mutated(seeds) },
        { weight: 1, arbitrary: mutatedJson(seeds.filter(isJson)) },
      ),
      encoding: fc.constantFrom('utf-8', 'utf-8', ...Object.keys(encoders)),
      packing: fc.constantFrom('none', 'none', ...Object.keys(packers)),
      contentEncoding: fc.constantFrom(...headers),
      contentType: fc.constantFrom(...types),
    }),
    slowMs: 500,
    async check(input) {
      const request = requestOf(input)
      const result = digestFeed({ ...request, known: [] })
      if (!result.ok) return
      requireSound(result.digest, input.text.length)

      const feedUrl = `${address}?${++last}`
      const podcast = store.podcasts.add({
        title: '',
        folder: String(last),
        feedUrl,
        privacy: 0,
        userId: user.id,
        now: 1,
      })
      const validators = { etag: null, lastModified: null, digest: null }
      await applyDigest(store, podcast.id, result.digest, { validators, seenAt: Date.now() })
      const again = digestFeed({ ...request, known: store.episodes.knownOf(podcast.id) })
      store.inTransaction(() => store.removals.remove('podcast', podcast.id, ''))
      require(again.ok, 'a feed that was read cannot be read a second time')
      const { added, edited, returned, vanished } = again.digest
      require(added.length === 0, 'the same feed again has new episodes', added.map(({ facts }) => facts.guid))
      require(edited.length === 0, 'the same feed again has edited episodes')
      require(returned.length + vanished.length === 0, 'the same feed again has episodes that come or go')
    },
  }
}

function requireSound(digest: Digest, inputLength: number) {
  const size = JSON.stringify(digest).length
  require(size <= MAX_GROWTH * inputLength + ALLOWANCE, 'a feed grew out of proportion', { inputLength, size })
  requireAddress(digest.newFeedUrl)
  requireAddress(digest.nextPage)
  const { facts } = digest
  requireAddress(facts.link)
  requireAddress(facts.image_url)
  requireSafe(facts.summary ?? '')
  for (const { facts, chapters } of digest.added) {
    for (const address of [facts.link, facts.enclosure_url, facts.image_url, facts.chapters_url])
      requireAddress(address)
    requireSafe(facts.notes)
    for (const name of ['enclosure_size', 'announced_at', 'duration', 'season'] as const) {
      const value = facts[name]
      require(value === null || (Number.isSafeInteger(value) && value >= 0), `${name} is no whole number`, value)
    }
    require(facts.number === null || Number.isFinite(facts.number), 'number is none', facts.number)
    for (const { startMs, href, imageUrl } of chapters?.list ?? []) {
      require(Number.isSafeInteger(startMs) && startMs >= 0, 'a chapter begins at no time', startMs)
      requireAddress(href)
      requireAddress(imageUrl)
    }
    require(facts.guid !== '' && facts.guid.length <= 2000, 'a guid is empty or too long')
  }
}

function requireAddress(address: string | null) {
  require(address === null || (/^https?:\/\//.test(address) && address.length <= 4096), 'an address is none', address)
}
