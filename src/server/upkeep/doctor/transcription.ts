import type { Config } from '../../config'
import { isOfProxy, OutboundError } from '../../outbound/error'
import { createOutbound } from '../../outbound/request'
import { SECOND } from '../../platform/clock'
import { fine, problem, type Finding } from './finding'

/** The address that lists models, which every such server has or answers with 404. */
function modelsAt(address: string): string {
  const url = new URL(address)
  url.pathname = url.pathname.replace(/\/audio\/transcriptions$/, '/models')
  return url.href
}

/** Checks that the speech server answers, and accepts the key. Sends no audio, and repeats neither key nor answer. */
export async function examineTranscription(config: Config, timeoutMs = 10 * SECOND): Promise<Finding[]> {
  const { transcription } = config
  if (!transcription) return []
  const { address, key } = transcription
  const name = `the speech server ${new URL(address).host}`
  const outbound = createOutbound(config)
  try {
    const { response } = await outbound.get(modelsAt(address), {
      reach: await outbound.reachOf(address, true),
      privateHeaders: key === null ? {} : { Authorization: `Bearer ${key}` },
      timeoutMs,
    })
    await response.body?.cancel()
    const isRefused = response.status === 401 || response.status === 403
    return [
      isRefused
        ? problem(`${name} refuses the key and answers ${response.status}: check TRANSCRIPTION_KEY`)
        : fine(`${name} answers`),
    ]
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const advice = isOfProxy(error.code) ? '' : '. Check TRANSCRIPTION_URL'
    return [problem(`${name} does not answer: ${error.message}${advice}. Transcriptions wait until it does`)]
  }
}
