import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApp } from './app'
import { parseArguments } from './cli/arguments'
import { helpText } from './cli/help'
import { ConfigurationMistakes, parseEnvironmentFile, readConfig, type Config } from './config'
import { createContext } from './context'
import { AlreadyRunning, lockDataFolder } from './instance-lock'
import { jobsOf } from './jobs'
import { describeError } from './log'
import { startJobs } from './jobs/scheduler'
import { DatabaseTooNew } from './store/open'
import { version } from './version'

const STOP_WITHIN_MS = 5000

async function main(args: readonly string[]) {
  const command = parseArguments(args)
  if (command.name === 'help') return console.log(helpText())
  if (command.name === 'version') return console.log(version)

  const file = command.configFile ? parseEnvironmentFile(readFileSync(command.configFile, 'utf8')) : {}
  const config = readConfig({ ...file, ...process.env })
  ensureWritable('DATA_DIRECTORY', config.dataFolder)
  ensureWritable('PODCAST_DIRECTORY', config.podcastFolder)
  const unlock = lockDataFolder(join(config.dataFolder, 'castellan.lock'))

  const context = createContext(config)
  // A bug in one piece of background work must not take the others down with it.
  process.on('unhandledRejection', error => context.log.error('unexpected error', { error: describeError(error) }))
  const app = await createApp(context, join(import.meta.dir, Bun.isStandaloneExecutable ? 'ui' : '../../dist/ui'))
  await context.downloads.recover()
  listen(app, config)
  const jobs = startJobs(jobsOf(context), context.log)
  if (config.host === '127.0.0.1') console.log(openModeNotice)
  context.log.info('started', { version, address: addressOf(config, app.server!.port!), data: config.dataFolder })

  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    // Whatever hangs, the process ends; what was interrupted goes on at the next start.
    setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref()
    await Promise.all([jobs.stop(), app.server?.stop(true)])
    await context.close()
    unlock()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

type RunningApp = Awaited<ReturnType<typeof createApp>>

function listen(app: RunningApp, config: Config) {
  try {
    app.listen({ hostname: config.host, port: config.port })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      fail(`Port ${config.port} is in use. Stop what uses it, or set PORT to another one.`)
    throw error
  }
}

function ensureWritable(variable: string, folder: string) {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    fail(
      `${variable} is ${folder}, which cannot be written to (${code}). Give it to the user that runs Castellan, or name another folder.`,
    )
  }
}

function addressOf({ host, prefix, tls }: Config, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `${tls ? 'https' : 'http'}://${name}:${port}${prefix}/`
}

const openModeNotice = `
Open mode: everyone who can reach this address is its administrator, so Castellan listens on this machine alone.
To reach it from elsewhere, set HOST=0.0.0.0 on a network whose people you trust.
`

const isExpected = (error: unknown): error is Error =>
  error instanceof ConfigurationMistakes ||
  error instanceof AlreadyRunning ||
  error instanceof DatabaseTooNew ||
  (error instanceof Error && /unknown argument|--config needs|ENOENT/.test(error.message))

function fail(message: string): never {
  console.error(`castellan: ${message.split('\n').join('\ncastellan: ')}`)
  process.exit(1)
}

await main(process.argv.slice(2)).catch(error => {
  if (isExpected(error)) fail(error.message)
  throw error
})
