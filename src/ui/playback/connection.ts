import { isRecovering, isVideo, type Core } from './state'

/** The waits before each new attempt after the connection broke. */
const RETRY_MS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000]

/**
 * Gives the current episode to the engine: from this device where it is kept, otherwise from the server. False when it
 * was paused, or another one chosen, before the address was known.
 */
export async function load({ state, needs, engine, sound }: Core): Promise<boolean> {
  const { episode, form = null, live } = state.current.value!
  const usual = form?.local_url ?? episode.local_url
  const mine = ++state.attempt
  const elsewhere = live ? null : await needs.addressOf(episode.episode_id, form).catch(() => null)
  const address = elsewhere ?? usual
  const isOwn = address !== usual
  if (mine !== state.attempt || !state.isWaiting.value) {
    if (isOwn) URL.revokeObjectURL(address)
    return false
  }
  if (state.ownAddress) URL.revokeObjectURL(state.ownAddress)
  state.ownAddress = isOwn ? address : null
  state.isLoaded = true
  state.canSeek = true
  state.soughtFrom = null
  engine.load(address, live ? 0 : (state.unreached ?? state.position.value), { isVideo: isVideo({ episode, form }) })
  sound.applyRate()
  return true
}

/** Tries again after a while, each time a longer one. False once every attempt has failed. */
export function recover(core: Core): boolean {
  const { state, needs } = core
  const waitMs = RETRY_MS[state.retries]
  if (waitMs === undefined) return false
  state.isWaiting.value = true
  state.retries++
  const mine = ++state.attempt
  needs.later(() => {
    // By now it may be paused, or another episode plays.
    if (mine === state.attempt) void retry(core)
  }, waitMs)
  return true
}

/** Ends the attempts to get the connection back. */
export function giveUp(state: Core['state']) {
  state.retries = 0
  state.attempt++
}

/** Tries at once: the browser says that the connection is back. */
export function reconnect(core: Core) {
  if (isRecovering(core.state) && core.state.isWaiting.value) void retry(core)
}

async function retry(core: Core) {
  if (await load(core)) await core.engine.play().catch(() => undefined)
}
