import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'bun:test'
import { hashingCost } from '../../src/server/accounts/password'
import { createApp } from '../../src/server/app'
import { readConfig, type Environment } from '../../src/server/config'
import { createContext, type Overrides } from '../../src/server/context'
import type { SocketLimits } from '../../src/server/http/apps/audiobookshelf/socket/wire'
import { DATABASE_FILE, openDataFolder } from '../../src/server/data-folder'
import { SECRET_BYTES } from '../../src/server/platform/secret'
import { SECRET_FILE } from '../../src/server/store/backup'
import type { DomainEvent, DomainEvents } from '../../src/server/platform/events'
import { createLog } from '../../src/server/platform/log'
import type { Role } from '../../src/shared/choices'
import { createApi } from '../../src/ui/api'
import { createAdministrationApi } from '../../src/ui/api/administration'
import { createClient } from '../../src/ui/api/client'
import { queuesApi } from '../../src/ui/api/queues'
import { makeFolder } from './memory-folders'
import { poolWorkers } from './worker-pool'

export type TestApp = Awaited<ReturnType<typeof startTestApp>>

// The real price of a password would be most of the time of all tests.
Object.assign(hashingCost, { memoryCost: 8, timeCost: 1 })
poolWorkers()

const uiFolder = join(import.meta.dir, '../../dist/ui')
const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** An empty folder that is gone after the tests of a process. */
export function temporaryFolder(): string {
  const folder = makeFolder('test')
  folders.push(folder)
  return folder
}

let template: string | null = null

/** An empty library, migrated once for all the tests of a process: that takes five times as long as to copy it. */
function templateFolder(): string {
  if (template !== null) return template
  const folder = makeFolder('template')
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const { store } = openDataFolder(folder)
  // Each test has a secret of its own.
  store.noteFingerprint(0)
  store.close()
  return (template = folder)
}

/** Puts an empty library with a secret of its own into a folder that holds nothing. */
function prepare(folder: string) {
  mkdirSync(folder, { recursive: true })
  if (readdirSync(folder).length > 0) return
  copyFileSync(join(templateFolder(), DATABASE_FILE), join(folder, DATABASE_FILE))
  writeFileSync(join(folder, SECRET_FILE), crypto.getRandomValues(new Uint8Array(SECRET_BYTES)), { mode: 0o600 })
}

/** A folder with an empty library, for the executable: making one there takes it four times as long as to start. */
export function libraryFolder(): string {
  const folder = temporaryFolder()
  prepare(folder)
  return folder
}

/** A clock that stands still until it is moved. */
export function startClock(at = Date.UTC(2026, 4, 1, 12)) {
  let time = at
  const now = () => time
  return Object.assign(now, {
    advance: (ms: number) => {
      time += ms
    },
  })
}

export const goodPassword = 'Corr3ctHorse'
export const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** Sign-in by password, with an admin named root. */
export const withPasswords = { BASIC_AUTH: 'true', USERNAME: 'root', PASSWORD: 'Sup3rSecret' }

type Options = Overrides & { env?: Environment; folder?: string; socketLimits?: Partial<SocketLimits> }

/**
 * The whole application in memory, on a real database, spoken to through the interface's own client.
 * Nothing is fetched by itself; `prefill` 0 keeps subscribing from starting downloads.
 */
export async function startTestApp({ env = {}, folder = temporaryFolder(), socketLimits, ...overrides }: Options = {}) {
  mkdirSync(join(uiFolder, 'assets'), { recursive: true })
  const lines: string[] = []
  prepare(folder)
  const config = readConfig({ DATA_DIRECTORY: folder, PORT: '0', DISK_RESERVE: '0', ...env })
  const context = createContext(config, { log: createLog('debug', 'text', line => lines.push(line)), ...overrides })
  const app = await createApp(context, uiFolder, socketLimits)
  const events: DomainEvent[] = []
  const waiting = new Set<() => void>()
  context.events.listenToAll(event => {
    events.push(event)
    for (const check of waiting) check()
  })

  const send = (request: Request) => app.handle(request)
  const client = createClient(config.prefix, { fetch: send })

  /** The first event of a type that fits, past or future. */
  function event<T extends keyof DomainEvents>(
    type: T,
    fits: (event: DomainEvents[T]) => boolean = () => true,
  ): Promise<DomainEvents[T]> {
    const { promise, resolve } = Promise.withResolvers<DomainEvents[T]>()
    const check = () => {
      const found = events.find(candidate => candidate.type === type && fits(candidate as unknown as DomainEvents[T]))
      if (!found) return
      waiting.delete(check)
      resolve(found as unknown as DomainEvents[T])
    }
    waiting.add(check)
    check()
    return promise
  }

  /** The API as somebody sees it who sends these credentials along. */
  const withHeader = (authorization: string | null) => {
    const client = createClient(config.prefix, { fetch: send, authorization: () => authorization })
    return {
      client,
      authorization,
      ...createApi(client),
      ...createAdministrationApi(client),
      queues: queuesApi(client),
    }
  }
  const as = (username: string, password: string) => withHeader(basic(username, password))

  return {
    as,
    withHeader,
    /** A new account by way of an invitation, and the API as it sees it. */
    async signUp(username: string, role: Role = 'user', explicitConsent = false) {
      const { id } = context.invites.create(role, explicitConsent)
      const row = await context.invites.accept({ username, password: goodPassword, inviteId: id })
      return { row, ...as(username, goodPassword) }
    },
    context,
    app,
    folder,
    lines,
    events,
    event,
    client,
    ...createApi(client),
    ...createAdministrationApi(client),
    queues: queuesApi(client),
    /** Sends a request without the client of the interface. */
    fetch: (path: string, init?: RequestInit) => send(new Request(`http://localhost${config.prefix}${path}`, init)),
    prefill: (podcastPrefill: number) => context.store.settings.edit({ podcastPrefill }),
    /** Checks every feed that is due, and resolves when that is done. */
    refreshDue: () => context.refresh.refreshDue(),
    /** Listens on a port, for what a request in memory cannot do. */
    listen() {
      app.listen({ hostname: '127.0.0.1', port: 0 })
      return `http://127.0.0.1:${app.server!.port}${config.prefix}`
    },
    async [Symbol.asyncDispose]() {
      if (app.server) await app.server.stop(true)
      await context.close()
    },
  }
}

/** Why something was refused, or null when it was not. Awaiting it lets workers answer, which `.rejects` does not. */
export const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )
