import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApp } from './app'
import { parseArguments, UsageError } from './cli/arguments'
import { DATABASE_FILE, DataFolderError } from './data-folder'
import { networkFileSystemOf } from './upkeep/doctor/folders'
import {
  addChosen,
  ConfigurationMistakes,
  joinSettings,
  readConfig,
  type Config,
  type Environment,
  type Joined,
} from './config'
import { createContext, type Context } from './context'
import { AlreadyRunning, LockDamaged, lockDataFolder } from './platform/instance-lock'
import { jobsOf } from './jobs'
import { createLog, logFailure } from './platform/log'
import { withBallast } from './platform/room'
import { startJobs, stillnessOf, touchedByRequests } from './jobs/scheduler'
import { BackupError } from './store/backup'
import { isDamage } from './store/inspect'
import { DatabaseTooNew } from './store/open'
import { Problem } from './platform/problem'
import {
  ensureWritable,
  explainFault,
  explainListening,
  isRefusedFile,
  requireFiles,
  requireTlsFiles,
  StartFault,
} from './start-faults'
import { describeVersion, version } from './platform/version'

// Why: docs/internals/decisions/0013

const uiFolder = join(import.meta.dir, Bun.isStandaloneExecutable ? 'ui' : '../../dist/ui')
const STOP_WITHIN_MS = 5000
/** People who are waiting for the server come first. */
const JOBS_AFTER_MS = 500

async function main(args: readonly string[]) {
  const command = parseArguments(args)
  if (command.name === 'help') {
    const { commandHelp, helpText } = await import('./cli/help')
    return console.log(command.of === null ? helpText() : commandHelp(command.of))
  }
  if (command.name === 'version') return console.log(describeVersion())
  if (command.name === 'licenses') return console.log(await readNotices())

  const path = command.configFile
  const given = joinSettings(process.env, path === null ? null : { path, text: readSettings(path) })
  // Loaded here, since the server needs none of the commands.
  if (command.name === 'setup') return setUpInTerminal(command.args, given)
  if (command.name === 'demo') return showDemo(given)
  const read = () => {
    const { values, mistakes } = addChosen(given)
    return readConfig(values, mistakes)
  }
  const config = read()
  if (command.name !== 'serve') return (await import('./cli/run')).runCommand(command.name, command.args, config)
  if (config.needsSetup) await setUpFirst(given.values, config)
  await startServer(config.needsSetup ? read() : config).catch(error => {
    throw isRefusedFile(error) ? new StartFault(explainFault(error)) : error
  })
}

/** Reads the licences of what is in the executable; its build puts them there. */
async function readNotices(): Promise<string> {
  const folder = Bun.isStandaloneExecutable ? 'notices' : '../../dist/notices'
  return (await Bun.file(join(import.meta.dir, folder, 'THIRD-PARTY-NOTICES')).text()).trimEnd()
}

function readSettings(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    fail(`--config names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

async function showDemo({ values, mistakes }: Joined) {
  if (mistakes.length > 0) throw new ConfigurationMistakes(mistakes)
  const { runDemo } = await import('./demo')
  await runDemo(values, uiFolder, (config, port) =>
    createLog('info', config.logFormat).info('Started the demo', { address: addressOf(config, port) }),
  )
}

/** Serves the setup of a new server that others can reach, until somebody with the code has answered it. */
async function setUpFirst(values: Environment, config: Config) {
  const { serveSetup } = await import('./http/setup')
  const log = createLog(config.logLevel, config.logFormat)
  const end = () => process.exit(0)
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  ensureWritable('DATA_DIRECTORY', config.dataFolder)
  requireTlsFiles(config)
  await serveSetup({ values, config, log, uiFolder }, (code, port) => {
    console.log(setupNotice(code))
    log.info('Waiting for the setup', { version, address: addressOf(config, port), data: config.dataFolder })
  }).catch(error => {
    throw (error as { syscall?: string }).syscall === 'listen' ? explainListening(error, config) : error
  })
  process.off('SIGTERM', end)
  process.off('SIGINT', end)
}

const setupNotice = (code: string) => `
Nobody can sign in yet. Open this server in a browser, and enter the setup code ${code}
To answer in the terminal instead, stop it and run: castellan setup
`

async function setUpInTerminal(args: readonly string[], given: Joined) {
  const [{ runSetupCommand }, { openQuestions }] = await Promise.all([import('./cli/setup'), import('./cli/terminal')])
  await runSetupCommand(args, given, openQuestions(), async (values, config) =>
    (await import('./http/setup')).serveCheck({ values, config, log: createLog('error', 'text'), uiFolder }),
  )
}

async function startServer(config: Config) {
  requireFiles()
  requireTlsFiles(config)
  ensureWritable('DATA_DIRECTORY', config.dataFolder)
  // The share with the media may be missing while the library is here: then downloads wait, and episodes play from
  // their hosts.
  if (!existsSync(join(config.dataFolder, DATABASE_FILE))) ensureWritable('PODCAST_DIRECTORY', config.podcastFolder)
  const unlock = withBallast(config.dataFolder, () => lockDataFolder(join(config.dataFolder, 'castellan.lock')))

  const context = createContext(config)
  warnOfNetworkFileSystem(context)
  // A bug in one piece of background work must not stop the others.
  process.on('unhandledRejection', logFailure(context.log, 'Unexpected error'))
  const app = await createApp(context, uiFolder)
  await recover(context)
  listen(app, config)
  // From here on code is compiled as usual; the build delays compiling during the start.
  Bun.unsafe.setJITPolicy(1)
  const jobs = startJobs(jobsOf(context), context.log, {
    firstAfterMs: JOBS_AFTER_MS,
    whenWritable: context.store.whenWritable,
    stillness: stillnessOf(join(config.dataFolder, DATABASE_FILE)),
  })
  touchedByRequests(app, jobs.touch)
  const notice = noticeFor(context)
  if (notice) console.log(notice)
  context.log.info('Started', { version, address: addressOf(config, app.server!.port!), data: config.dataFolder })
  stopOnSignal(async () => {
    context.begun.stopping()
    await Promise.all([jobs.stop(), app.server?.stop(true)])
    await context.close()
    unlock()
    context.log.info('Stopped')
  })
}

/** Cleans up after a process that was killed, before anybody can request what it left. */
async function recover({ store, begun, downloads, covers, notifications, backups, queueArrivals, moves }: Context) {
  await store.whenWritable()
  begun.recover()
  await moves.recover()
  await downloads.recover()
  covers.recover()
  notifications.recover()
  queueArrivals.queueDue()
  backups.recover()
}

function stopOnSignal(stop: () => Promise<void>) {
  let isStopping = false
  const handle = async () => {
    if (isStopping) return
    isStopping = true
    // The process ends even if something hangs; interrupted work resumes at the next start.
    setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref()
    await stop()
    process.exit(0)
  }
  process.on('SIGTERM', handle)
  process.on('SIGINT', handle)
}

function warnOfNetworkFileSystem({ config, log }: Context) {
  const kind = networkFileSystemOf(config.dataFolder)
  if (kind)
    log.warn('The database is on a network file system, whose locks are unreliable. Move it to a local disk.', {
      kind,
      folder: config.dataFolder,
    })
}

type RunningApp = Awaited<ReturnType<typeof createApp>>

function listen(app: RunningApp, config: Config) {
  try {
    app.listen({ hostname: config.host, port: config.port })
  } catch (error) {
    throw explainListening(error, config)
  }
}

function addressOf({ host, prefix, tls }: Config, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `${tls ? 'https' : 'http'}://${name}:${port}${prefix}/`
}

/** Text for the operator about who can sign in; null when there is nothing to say. */
function noticeFor({ config, store }: Context): string | null {
  if (config.isOpen && config.host === '127.0.0.1') return openModeNotice
  if (config.isOpen) return everyoneNotice
  const admins = store.users.list().filter(user => user.role === 'admin' && (!user.built_in || config.byPassword))
  const willAppear = config.admins.length > 0 || config.oidc?.adminClaim != null || config.apiKey !== null
  return admins.length === 0 && !willAppear ? noAdminNotice : null
}

const openModeNotice = `
Open mode: everyone who can reach this address is its administrator, so Castellan listens on this machine alone.
To reach it from elsewhere, turn sign-in on (BASIC_AUTH=true, USERNAME, PASSWORD), or set HOST=0.0.0.0 and
ALLOW_OPEN=true on a network whose people you trust.
`

const everyoneNotice = `
Open mode: everyone who can reach this address is its administrator. To have people sign in, set BASIC_AUTH=true,
USERNAME and PASSWORD.
`

const noAdminNotice = `
There is no admin yet. Sign in once, and then make that account one: castellan users update NAME --role admin
(or name admins in ADMINS, or by OIDC_ADMIN_CLAIM).
`

const isExpected = (error: unknown): error is Error =>
  error instanceof ConfigurationMistakes ||
  error instanceof StartFault ||
  error instanceof LockDamaged ||
  error instanceof AlreadyRunning ||
  error instanceof DatabaseTooNew ||
  error instanceof DataFolderError ||
  error instanceof BackupError ||
  error instanceof UsageError ||
  error instanceof Problem ||
  (error instanceof Error && /^(ENOENT|EACCES|EISDIR)/.test(error.message))

function fail(message: string, usage = ''): never {
  console.error(`castellan: ${message.split('\n').join('\ncastellan: ')}${usage && `\n\n${usage}`}`)
  process.exit(1)
}

await main(process.argv.slice(2)).catch(error => {
  if (isDamage(error))
    fail(`The database is damaged (${(error as Error).message}). Restore a backup with: castellan restore FILE`)
  if (isExpected(error)) fail(error.message, error instanceof UsageError ? error.usage : '')
  if (process.env['LOG_LEVEL'] === 'debug') console.error(error)
  fail(explainFault(error))
})
