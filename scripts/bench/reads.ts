import { join } from 'node:path'

type Headers = Record<string, string>

/** MB/s of a whole file; read by curl, so that reading costs little: what is measured is the server. */
export async function readWhole(address: string, size: number, headers: Headers = {}): Promise<number> {
  const began = performance.now()
  const more = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const curl = Bun.spawn(['curl', '-sL', '-o', '/dev/null', '-w', '%{size_download}', ...more, address])
  const read = Number(await new Response(curl.stdout).text())
  if (read !== size) throw new Error(`received ${read} of ${size} bytes`)
  return size / 1e6 / ((performance.now() - began) / 1000)
}

/** Ranges that `readRanges` asks for, unless it is told otherwise. */
export const RANGES = 4000

/** MB/s of ranges of 64 KB over eight connections, at random places or one after the other. */
export async function readRanges(
  address: string,
  size: number,
  headers: Headers = {},
  count = RANGES,
  order: 'random' | 'following' = 'random',
): Promise<number> {
  const args = [address, String(size), String(count), JSON.stringify(headers), order]
  const child = Bun.spawn(['bun', join(import.meta.dir, 'ranges.ts'), ...args], { stdout: 'pipe', stderr: 'pipe' })
  const [rate, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(/error: (.*)/.exec(error)?.[1] ?? error)
  return Number(rate)
}
