import { DownloadFailure } from './failure'

const algorithms = ['sha512', 'sha384', 'sha256'] as const
type Algorithm = (typeof algorithms)[number]
type Digest = { algorithm: Algorithm; value: string }

/**
 * Compares a file with the digests of its feed (https://www.w3.org/TR/SRI/): it must have one of those of the strongest
 * algorithm. Digests of other algorithms say nothing. Throws `integrity-mismatch`, or the reason of `signal`.
 */
export async function requireIntegrity(path: string, stated: readonly string[], signal: AbortSignal) {
  const digests = stated.flatMap(text => parseDigest(text) ?? [])
  const algorithm = algorithms.find(known => digests.some(digest => digest.algorithm === known))
  if (!algorithm) return
  const hasher = new Bun.CryptoHasher(algorithm)
  for await (const chunk of Bun.file(path).stream()) {
    signal.throwIfAborted()
    hasher.update(chunk)
  }
  const found = hasher.digest('base64')
  if (digests.some(digest => digest.algorithm === algorithm && digest.value === found)) return
  throw new DownloadFailure(
    'integrity-mismatch',
    `The file of the host is not the one that the feed describes: its ${algorithm} digest differs. It was not kept.`,
    true,
  )
}

function parseDigest(text: string): Digest | null {
  const [, name, value] = /^(sha256|sha384|sha512)-([A-Za-z0-9+/_-]{43,88}={0,2})(?:\?.*)?$/.exec(text) ?? []
  if (!name || !value) return null
  return { algorithm: name as Algorithm, value: Buffer.from(value, 'base64').toString('base64') }
}
