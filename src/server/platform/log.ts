export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]
export type LogFormat = 'text' | 'json'

type Fields = Record<string, string | number | boolean | null | undefined>
export type Log = Record<LogLevel, (message: string, fields?: Fields) => void>

/** Hides credentials in addresses, and keys, tokens and ids that open something in queries and paths. */
function redact(text: string): string {
  return text
    .replace(/(?<=\w:\/\/)[^/@\s]+@/g, '***@')
    .replace(/(apikey[=/])[^&\s/"]+/gi, '$1***')
    .replace(/([?&](?:token|code|code_verifier|state)=)[^&\s"]+/gi, '$1***')
    .replace(/(mediakey=)[^&\s"]+/gi, '$1***')
    .replace(/(\/clip\/)[^/\s"?]+/gi, '$1***')
    .replace(/(\/public\/session\/)[^/\s"?]+/gi, '$1***')
    .replace(/((?:basic|bearer)\s+)[\w+/=.~-]{6,}/gi, '$1***')
    .replace(/\b((?:castellan|sessionid)=)[\w-]+/g, '$1***')
}

/** Keeps an entry on one line: a line break in a feed's text would forge another entry. */
const oneLine = (text: string) => redact(text).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')

export function createLog(level: LogLevel, format: LogFormat, write: (line: string) => void = console.log): Log {
  const entry = (at: LogLevel, message: string, fields: Fields = {}) => {
    if (logLevels.indexOf(at) < logLevels.indexOf(level)) return
    const given = Object.entries(fields).filter(([, value]) => value !== undefined)
    const clean = given.map(([key, value]) => [key, typeof value === 'string' ? oneLine(value) : value] as const)
    const time = new Date().toISOString()
    if (format === 'json') {
      write(JSON.stringify({ time, level: at, message: oneLine(message), ...Object.fromEntries(clean) }))
      return
    }
    const details = clean.map(([key, value]) => ` ${key}=${typeof value === 'string' ? JSON.stringify(value) : value}`)
    write(`${time} ${at.padEnd(5)} ${oneLine(message)}${details.join('')}`)
  }
  return {
    debug: (message, fields) => entry('debug', message, fields),
    info: (message, fields) => entry('info', message, fields),
    warn: (message, fields) => entry('warn', message, fields),
    error: (message, fields) => entry('error', message, fields),
  }
}

/** Logs nothing: a command prints what it did. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

/** Describes an error with its stack and its causes: for bugs of ours, which only the log sees. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : ` caused by ${describeError(error.cause)}`
  return `${error.stack ?? `${error.name}: ${error.message}`}${cause}`
}

/** Logs what failed, with the error; on a full disk, which is not a bug, without a stack. */
export const logFailure = (log: Log, message: string) => (error: unknown) =>
  log.error(message, { error: isFullDisk(error) ? 'The disk is full' : describeError(error) })

// Why: docs/internals/decisions/0059

/** The code of an error of the system or of SQLite; '' = it has none. */
export const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? '')

/** Whether the system or SQLite refused a write because the disk or a quota is used up. */
export const isFullDisk = (error: unknown): boolean => ['SQLITE_FULL', 'ENOSPC', 'EDQUOT'].includes(codeOf(error))
