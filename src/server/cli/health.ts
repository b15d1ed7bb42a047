import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { Config } from '../config'
import { UsageError } from './arguments'
import type { Print } from './terminal'

export const healthUsage = `castellan health    (asks the running server whether it is ready; exit code 0 if so, else 1)`

/** Health checks of containers wait 30 seconds by default. */
const ANSWER_WITHIN_MS = 10_000
const MAX_ANSWER = 10_000

type Answer = { ready: boolean; checks?: Record<string, boolean> }

/**
 * Asks `/readyz` of the server that runs with this configuration, prints one line, and returns whether it is ready.
 * Throws `UsageError`.
 */
export async function runHealthCommand(args: readonly string[], config: Config, print: Print): Promise<boolean> {
  if (args.length > 0) throw new UsageError(`health has no option "${args[0]}"`, healthUsage)
  if (config.port === 0)
    throw new UsageError('PORT is 0, so only the log of the server names its port: set another one')
  const url = readyUrl(config)
  const answer = await ask(url).catch((error: Error) => error)
  if (answer instanceof Error) print(`${url} does not answer: ${answer.message}`)
  else if (answer === null) print(`${url} is not an address of Castellan: check PORT and SUB_DIRECTORY`)
  else if (answer.ready) print('ready')
  else print(`not ready: problem with ${problemsOf(answer).join(' and ')}. Run castellan doctor for details.`)
  return !(answer instanceof Error) && answer?.ready === true
}

/** A server that listens on every address is asked on loopback. */
function readyUrl({ host, port, prefix, tls }: Config): string {
  const asked = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `${tls ? 'https' : 'http'}://${asked.includes(':') ? `[${asked}]` : asked}:${port}${prefix}/readyz`
}

const problemsOf = ({ checks = {} }: Answer) => Object.keys(checks).filter(name => !checks[name])

/**
 * Asks past the proxies of the environment, which `fetch` would use, and without checking the certificate, which names
 * the public address. Returns null for an answer that is not Castellan's; rejects without one.
 */
function ask(url: string): Promise<Answer | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer | null>()
  const request = url.startsWith('https:') ? requestSecure : requestPlain
  const sent = request(url, { rejectUnauthorized: false, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }, response => {
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (part: string) => {
      if (text.length < MAX_ANSWER) text += part
    })
    response.on('error', reject)
    response.on('end', () => resolve(readAnswer(text)))
  })
  sent.on('error', reject)
  sent.end()
  return promise
}

function readAnswer(text: string): Answer | null {
  try {
    const answer = JSON.parse(text) as Answer | null
    return typeof answer?.ready === 'boolean' ? answer : null
  } catch {
    return null
  }
}
