import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../support/ports'
import { until } from '../../support/programs'

/**
 * A place for a replica: `url` for Litestream, `env` with what it needs to reach it. `media`: variables with which
 * Castellan keeps media there as well; null = they need a folder that both machines reach.
 */
export type Place = {
  kind: string
  url: string
  env: Record<string, string>
  media: Record<string, string> | null
} & AsyncDisposable & {
    /** Ends the place until it is resumed; null = it cannot be away. */
    leave: (() => Promise<void>) | null
    resume: () => Promise<void>
  }

export function placeInFolder(folder: string): Place {
  const nothing = async () => {}
  return {
    kind: 'a folder',
    url: `file://${folder}/replica`,
    env: {},
    media: null,
    leave: null,
    resume: nothing,
    [Symbol.asyncDispose]: nothing,
  }
}

/** A bucket of a versitygw of its own. */
export async function placeInBucket(program: string, folder: string): Promise<Place> {
  const root = join(folder, 's3')
  for (const bucket of ['bucket', 'media']) mkdirSync(join(root, bucket), { recursive: true })
  const address = `127.0.0.1:${freePort()}`
  const command = [program, '--port', address, '--access', 'key', '--secret', 'word', 'posix', root]
  const begin = () => Bun.spawn(command, { stdout: 'ignore', stderr: 'ignore' })
  let process = begin()
  const answers = () =>
    fetch(`http://${address}/`).then(
      () => true,
      () => false,
    )
  const leave = async () => {
    process.kill('SIGKILL')
    await process.exited
  }
  await until('versitygw answers', answers)
  return {
    kind: 'a bucket',
    url: `s3://bucket/castellan?endpoint=http://${address}&force-path-style=true`,
    env: { LITESTREAM_ACCESS_KEY_ID: 'key', LITESTREAM_SECRET_ACCESS_KEY: 'word' },
    media: {
      MEDIA_STORAGE: 's3',
      S3_ENDPOINT: `http://${address}`,
      S3_BUCKET: 'media',
      S3_ACCESS_KEY: 'key',
      S3_SECRET_KEY: 'word',
    },
    leave,
    async resume() {
      process = begin()
      await until('versitygw answers again', answers)
    },
    [Symbol.asyncDispose]: leave,
  }
}

/** Starts Litestream as packaging/litestream.yml configures it, and waits until the replica has everything. */
export async function startLitestream(program: string, data: string, { url, env }: Place) {
  const config = join(data, '..', 'litestream.yml')
  const socket = join(data, 'litestream.sock')
  const database = { path: join(data, 'castellan.db'), replica: { url } }
  writeFileSync(config, JSON.stringify({ socket: { enabled: true, path: socket }, dbs: [database] }))
  const process = Bun.spawn([program, 'replicate', '-config', config], { env, stdout: 'ignore', stderr: 'ignore' })
  const list = async () => {
    const answer = await fetch('http://litestream/list', { unix: socket }).catch(() => null)
    return (await answer?.json()) as { databases: { last_sync_at?: string }[] } | undefined
  }
  await until('Litestream replicates', async () => (await list())?.databases[0]?.last_sync_at !== undefined)
  return {
    async kill() {
      process.kill('SIGKILL')
      await process.exited
    },
    /** Lets it send what is left. */
    async stop() {
      process.kill('SIGTERM')
      await process.exited
    },
  }
}

/** Runs a command of a shell, as a message or a document has it. */
export async function runShell(command: string, env: Record<string, string>) {
  const child = Bun.spawn(['sh', '-c', command], { env, stdout: 'pipe', stderr: 'pipe' })
  const output = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text())
  return { code: await child.exited, output }
}
