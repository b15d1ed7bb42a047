import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './ports'
import { until } from './programs'
import type { BucketPlace } from './s3-server/signed'

/** An S3 service of others, with one bucket on a folder and on a port that stays the same. */
export type Service = BucketPlace &
  AsyncDisposable & { name: string; pid: () => number; goAway: () => Promise<void>; comeBack: () => Promise<void> }

const settings = { bucket: 'podcasts', region: 'us-east-1', accessKey: 'test-access', secretKey: 'test-secret' }

/** Starts versitygw; `program`: where it is. */
export async function startVersitygw(program: string, folder: string): Promise<Service> {
  mkdirSync(join(folder, settings.bucket), { recursive: true })
  const { accessKey, secretKey } = settings
  return startService('versitygw', port =>
    [program, '--quiet', '--port', `127.0.0.1:${port}`].concat(
      '--access',
      accessKey,
      '--secret',
      secretKey,
      'posix',
      folder,
    ),
  )
}

/** Starts moto, which keeps objects in memory; the bucket has to be made. */
export const startMoto = (program: string) =>
  startService('moto', port => [program, '--host', '127.0.0.1', '--port', String(port)])

async function startService(name: string, commandAt: (port: number) => string[]): Promise<Service> {
  const port = freePort()
  const endpoint = `http://127.0.0.1:${port}`
  const start = () => Bun.spawn(commandAt(port), { stdout: 'ignore', stderr: 'ignore' })
  const isUp = () =>
    until(`${name} answers`, () =>
      fetch(endpoint).then(
        () => true,
        () => false,
      ),
    )
  let child = start()
  await isUp()
  const goAway = async () => {
    child.kill('SIGKILL')
    await child.exited
  }
  return {
    name,
    endpoint,
    settings,
    pid: () => child.pid,
    goAway,
    async comeBack() {
      child = start()
      await isUp()
    },
    [Symbol.asyncDispose]: goAway,
  }
}
