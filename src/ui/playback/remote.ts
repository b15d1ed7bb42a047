import { computed, effect, signal, untracked } from '@preact/signals-core'
import type { MediaAddress } from '../../shared/api/episode'
import { translate } from '../i18n'
import type { Toasts } from '../state/toasts'
import type { Player } from './player'
import { isVideo } from './state'

// Why: docs/internals/decisions/0014

/** An address is renewed when it ends within this time. */
const RENEW_BEFORE_MS = 60_000
/** While the server can't be reached, the next attempt waits. */
const RETRY_MS = 30_000

type Needs = {
  player: Pick<Player, 'current' | 'position' | 'playOn' | 'reload' | 'resume'>
  toasts: Pick<Toasts, 'failed'>
  /** Asks for an address of an episode's media, by its `episode_id`, that plays without a session. */
  addressOf: (eid: string) => Promise<MediaAddress>
  createElement?: (kind: 'audio' | 'video') => HTMLMediaElement
  now?: () => number
}

export type Remote = ReturnType<typeof createRemote>

/**
 * Plays on a speaker or a television by the Remote Playback API (https://www.w3.org/TR/remote-playback/). The device
 * fetches the episode itself, without our cookie, and an audio graph of ours in between would keep the sound here. So
 * it plays on an element that was never connected to one, at an address with a separate key.
 */
export function createRemote(needs: Needs) {
  const { player, toasts, now = Date.now } = needs
  const { isSupported, isAvailable, state, isOn, speakerFor } = createSpeakers(needs)
  const episode = computed(() => (player.current.value?.live ? null : (player.current.value?.episode ?? null)))
  const address = computed(() => episode.value?.local_url ?? null)
  /** The element of the kind that plays now, and the address that it was given. */
  let speaker: HTMLMediaElement | null = null
  let renewedAt = 0
  const addresses = createAddresses(needs.addressOf, now)
  // Browsers report whether there is a device for an address; any of ours serves as well as the one with a key.
  effect(() => {
    if (!isSupported || address.value === null || state.value !== 'disconnected') return
    speaker = untracked(() => speakerFor(isVideo({ episode: episode.value! }) ? 'video' : 'audio'))
    if (speaker.getAttribute('src') !== address.value) speaker.src = address.value
  })
  // A long episode outlasts its address.
  effect(() => {
    void player.position.value
    if (!isOn.value || !addresses.isStale() || now() - renewedAt < RETRY_MS) return
    renewedAt = now()
    untracked(player.reload)
  })

  /** Fetches the address ahead: a browser shows its list of devices only right after a press. */
  async function prepare() {
    const eid = episode.peek()?.episode_id
    if (eid !== undefined) await addresses.find(eid).catch(() => undefined)
  }
  /** Gives the speaker its address; false, with a notice, if no device could reach it. */
  function hand(address: string): boolean {
    if (isOnlyHere(address)) {
      toasts.failed(translate('remote-only-here', { host: new URL(address).host }))
      return false
    }
    if (!speaker || state.peek() !== 'disconnected') return true
    speaker.preload = 'metadata'
    speaker.src = address
    return true
  }

  return {
    isAvailable,
    isOn,
    isConnecting: computed(() => state.value === 'connecting'),
    prepare,
    /** Lets the listener choose a device, or leave the one that plays. Says what to do if that fails. */
    async choose() {
      const eid = episode.peek()?.episode_id
      if (eid === undefined || !speaker) return
      try {
        // A browser shows its list only right after a press, so there is no wait if the address is known.
        const known = addresses.known(eid) ?? (await addresses.find(eid))
        if (hand(known)) await speaker.remote.prompt()
      } catch (error) {
        // The listener closed the list.
        if (nameOf(error) === 'NotAllowedError' || nameOf(error) === 'AbortError') return
        const isNone = nameOf(error) === 'NotFoundError'
        toasts.failed(translate(isNone ? 'remote-none' : 'remote-failed'))
      }
    },
    /** The address that a device plays; null while this one plays. */
    addressOf: async (eid: string): Promise<string | null> => (isOn.peek() ? addresses.find(eid) : null),
    /**
     * Deals with an episode that a device can't play: tries a new address once, as the old one may have ended during a
     * pause, then says that the device can't reach the server. Returns false while no device plays.
     */
    recover({ wasActive }: { wasActive: boolean }): boolean {
      const host = addresses.host()
      if (!isOn.peek() || host === null) return false
      if (now() - renewedAt < RETRY_MS) {
        toasts.failed(translate('remote-unreachable', { host }))
        return true
      }
      renewedAt = now()
      addresses.forget()
      if (wasActive) void player.resume()
      return true
    },
  }
}

/** Creates an element per kind of media that can play on a device, and follows its connection. */
function createSpeakers({ player, createElement = kind => document.createElement(kind) }: Needs) {
  /** Whether a device is near, or this browser does not say before it is asked. */
  const isAvailable = signal(false)
  const state = signal<RemotePlaybackState>('disconnected')
  const isOn = computed(() => state.value === 'connected')
  const elements = new Map<string, HTMLMediaElement>()
  function speakerFor(kind: 'audio' | 'video'): HTMLMediaElement {
    const element = elements.get(kind) ?? createElement(kind)
    if (!elements.has(kind)) follow(element)
    elements.set(kind, element)
    return element
  }
  function follow(element: HTMLMediaElement) {
    // Nothing is fetched before somebody chooses a device.
    element.preload = 'none'
    const { remote } = element
    remote.addEventListener('connecting', () => (state.value = 'connecting'))
    remote.addEventListener('connect', () => {
      state.value = 'connected'
      player.playOn(element)
    })
    remote.addEventListener('disconnect', () => {
      // This empties the element, so it happens before the element is offered again.
      if (isOn.peek()) player.playOn(null)
      element.preload = 'none'
      state.value = 'disconnected'
    })
    remote
      .watchAvailability(available => (isAvailable.value = available))
      // A browser that cannot watch for devices has to be asked: then the button is always shown.
      .catch((error: unknown) => (isAvailable.value = nameOf(error) === 'NotSupportedError'))
  }
  return { isSupported: 'remote' in HTMLMediaElement.prototype, isAvailable, state, isOn, speakerFor }
}

/** Keeps the latest address with a separate key, until it ends. */
function createAddresses(ask: Needs['addressOf'], now: () => number) {
  let latest: (MediaAddress & { eid: string }) | null = null
  const isFresh = (expiresAt: string | null) => expiresAt === null || Date.parse(expiresAt) - now() > RENEW_BEFORE_MS
  const known = (eid: string) => (latest?.eid === eid && isFresh(latest.expiresAt) ? latest.address : null)
  return {
    /** The address of an episode that is still valid; null = it has to be requested. */
    known,
    async find(eid: string): Promise<string> {
      const address = known(eid)
      if (address !== null) return address
      latest = { ...(await ask(eid)), eid }
      return latest.address
    },
    isStale: () => latest !== null && !isFresh(latest.expiresAt),
    /** The host of the latest address; null before the first. */
    host: () => latest && new URL(latest.address).host,
    forget: () => (latest = null),
  }
}

const nameOf = (error: unknown) => (error instanceof DOMException ? error.name : '')

/** Whether an address means the machine on which it is opened. */
function isOnlyHere(address: string): boolean {
  const { hostname } = new URL(address)
  return /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
}
