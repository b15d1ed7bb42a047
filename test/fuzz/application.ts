import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/server/app'
import { readConfig, type Environment } from '../../src/server/config'
import { createContext } from '../../src/server/context'
import { createLog } from '../../src/server/platform/log'

export type Application = Awaited<ReturnType<typeof startApplication>>

const password = 'Corr3ctHorse'

/** The whole application in memory, on a database of its own; nothing is fetched by itself. */
export async function startApplication(env: Environment = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-fuzz-'))
  const uiFolder = join(folder, 'ui')
  for (const name of ['assets', 'public']) mkdirSync(join(uiFolder, name), { recursive: true })
  copyFileSync(join(import.meta.dir, '../../src/ui/cover.png'), join(uiFolder, 'cover.png'))
  const errors: string[] = []
  const config = readConfig({
    DATA_DIRECTORY: join(folder, 'data'),
    PORT: '0',
    DISK_RESERVE: '0',
    BASIC_AUTH: 'true',
    USERNAME: 'root',
    PASSWORD: password,
    ...env,
  })
  const context = createContext(config, { log: createLog('error', 'text', line => errors.push(line)) })
  const app = await createApp(context, uiFolder)
  context.store.settings.edit({ podcastPrefill: 0, autoDownload: false })

  return {
    context,
    /** Errors in the server's log since the last call. */
    errors: () => errors.splice(0),
    fetch: (path: string, init?: RequestInit) => app.handle(new Request(`http://localhost${path}`, init)),
    /** Makes a user, and returns its Authorization header. */
    async signUp(username: string, role: 'admin' | 'uploader' | 'user'): Promise<string> {
      const { id } = context.invites.create(role, role === 'admin')
      await context.invites.accept({ username, password, inviteId: id })
      return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    },
    async stop() {
      await context.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
