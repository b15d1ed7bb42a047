import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { plantLarge } from '../support/large-library'
import { openDataFolder } from '../../src/server/data-folder'
import { noise } from '../support/builders'
import { executable } from '../support/executable'
import { findProgram } from '../support/programs'
import { startRandom } from '../support/random'
import { sha } from './hosts'
import { startPlaces, type MediaBucket } from './places'

type Options = { files: number; kills: number; seed: number; log: (text: string) => void }

const PODCASTS = 5

/** Moves files into a bucket and back, and kills the command again and again; lists what is not as it was. */
export async function movingRounds({ files, kills, seed, log }: Options): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-moving-'))
  try {
    await using places = await startPlaces(folder, 's3', { find: findProgram, say: log })
    const data = join(folder, 'data')
    const digests = await plant(data, files)
    const env = { DATA_DIRECTORY: data, DISK_RESERVE: '0', ...(places.env as Record<string, string>) }
    const random = startRandom(seed)
    const violations: string[] = []
    for (const to of ['s3', 'folder'] as const) {
      const left = Math.ceil(kills / 2)
      for (let kill = 0; kill < left; kill++) {
        const ended = await killMove(env, to, random.between(150, 300 + files))
        log(`${to}, kill ${kill + 1}: ${ended}; ${await figures(data, places.bucket!)}`)
      }
      const code = await startMove(env, to).exited
      if (code !== 0) violations.push(`the move to ${to} ended with ${code}`)
      violations.push(...(await compare(data, places.bucket!, digests, to)))
      log(`${to}: ${await figures(data, places.bucket!)}`)
    }
    return violations
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const startMove = (env: Record<string, string>, to: string) =>
  Bun.spawn([executable, 'media', 'move', '--to', to], { env, stdout: 'ignore', stderr: 'ignore' })

async function killMove(env: Record<string, string>, to: string, afterMs: number): Promise<string> {
  const child = startMove(env, to)
  const isDone = await Promise.race([child.exited.then(() => true), Bun.sleep(afterMs).then(() => false)])
  child.kill('SIGKILL')
  await child.exited
  return isDone ? 'it was done before' : `after ${afterMs.toFixed(0)} ms`
}

/** A library whose every episode has a file of its own; returns their digests by path. */
async function plant(data: string, files: number): Promise<Map<string, string>> {
  await plantLarge(data, PODCASTS, Math.ceil(files / PODCASTS))
  const { store } = openDataFolder(data)
  const digests = new Map<string, string>()
  store.inTransaction(() => {
    for (let id = 1; id <= files; id++) {
      const path = `Pödcast ${id % PODCASTS}/#${id} & 100% + more.mp3`
      const bytes = noise(2000 + (id % 97) * 300, id)
      mkdirSync(dirname(join(data, 'podcasts', path)), { recursive: true })
      writeFileSync(join(data, 'podcasts', path), bytes)
      digests.set(path, sha(bytes))
      store.episodes.keepFile(id, { path, size: bytes.byteLength, type: 'audio/mpeg', duration: null, now: id })
    }
  })
  store.close()
  return digests
}

const mp3sBelow = (data: string) =>
  readdirSync(join(data, 'podcasts'), { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.mp3'))

const figures = async (data: string, bucket: MediaBucket) =>
  `${mp3sBelow(data).length} in the folder, ${(await bucket.files()).size} in the bucket`

/** Lists files that are not where they should be alone, byte for byte, and what a kill left behind. */
async function compare(data: string, bucket: MediaBucket, digests: ReadonlyMap<string, string>, to: 's3' | 'folder') {
  const wrong: string[] = []
  const [here, there] = [mp3sBelow(data), [...(await bucket.files()).keys()]]
  const [full, empty] = to === 's3' ? [there, here] : [here, there]
  for (const path of empty) wrong.push(`${path} is still where it was before the move to ${to}`)
  if (full.length !== digests.size) wrong.push(`${full.length} of ${digests.size} files arrived in ${to}`)
  for (const path of full) {
    const bytes = to === 's3' ? await bucket.bytes(path) : await Bun.file(join(data, 'podcasts', path)).bytes()
    if (bytes === null || sha(bytes) !== digests.get(path)) wrong.push(`${path} has other bytes in ${to}`)
  }
  for (const { path } of await bucket.uploads()) wrong.push(`an upload of ${path} is unfinished`)
  const { store } = openDataFolder(data)
  const strays = [...store.mediaCopies.list(), ...store.forgottenFiles.list()]
  const elsewhere = store.health.files().filter(({ file_storage }) => file_storage !== to)
  store.close()
  for (const { path } of strays) wrong.push(`${path} is noted as unfinished`)
  for (const { file_path } of elsewhere) wrong.push(`the row of ${file_path} names the other storage`)
  return wrong
}
