import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/server/app'
import { readConfig } from '../../src/server/config'
import { createContext } from '../../src/server/context'
import { describeApi, type Route } from '../../src/server/http/docs/describe'
import { writePage } from '../../src/server/http/docs/page'

/** Writes the reference of the API, as a server shows it at `/api-docs`. */
export async function describeApiPage(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-site-'))
  mkdirSync(join(folder, 'ui/public'), { recursive: true })
  const values = { DATA_DIRECTORY: folder, BASIC_AUTH: 'true', PASSWORD: 'Sup3rSecret', LOG_LEVEL: 'error' }
  const context = createContext(readConfig(values))
  try {
    const app = await createApp(context, join(folder, 'ui'))
    const page = writePage(describeApi(app.routes as readonly Route[], ''))
    return page.replace(/<a href="api-docs\/openapi\.json">OpenAPI document<\/a>/, 'A server has it at /api-docs, too')
  } finally {
    await context.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
