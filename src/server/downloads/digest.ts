import type { MediaStorage } from '../storage'

const SAMPLES = 16
const SAMPLE_BYTES = 32 * 1024

/** Digests evenly spaced samples of a file, its first and last bytes included: enough to notice another file. */
export async function sampleDigest(
  storage: Pick<MediaStorage, 'readBytes'>,
  path: string,
  size: number,
  signal?: AbortSignal,
): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  const last = Math.max(0, size - SAMPLE_BYTES)
  for (let sample = 0; sample < SAMPLES; sample++) {
    const at = Math.floor((last * sample) / (SAMPLES - 1))
    hasher.update(await storage.readBytes(path, { from: at, to: Math.min(size, at + SAMPLE_BYTES) }, signal))
  }
  return hasher.digest('hex')
}
