import { open } from 'node:fs/promises'

const SAMPLES = 16
const SAMPLE_BYTES = 32 * 1024

/** Digests evenly spaced samples of a file, its first and last bytes included: enough to notice another file. */
export async function sampleDigest(path: string, size: number): Promise<string> {
  const file = await open(path, 'r')
  try {
    const hasher = new Bun.CryptoHasher('sha256')
    const buffer = Buffer.alloc(SAMPLE_BYTES)
    const last = Math.max(0, size - SAMPLE_BYTES)
    for (let sample = 0; sample < SAMPLES; sample++) {
      const at = Math.floor((last * sample) / (SAMPLES - 1))
      const { bytesRead } = await file.read(buffer, 0, SAMPLE_BYTES, at)
      hasher.update(buffer.subarray(0, bytesRead))
    }
    return hasher.digest('hex')
  } finally {
    await file.close()
  }
}
