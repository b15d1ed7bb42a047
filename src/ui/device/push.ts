import { navigate } from 'wouter/use-browser-location'
import type { PushSubscriptionKeys } from '../../shared/api/notification'

/** The reason why this browser can't receive push messages; null = it can, if its user allows it. */
type PushObstacle = 'insecure' | 'home-screen' | 'unsupported' | 'denied'

/** The push messages of this browser. */
export type PushDevice = ReturnType<typeof createPushDevice>

const PATIENCE_MS = 10_000

/** A subscription was refused, by the user or by the browser's push service. */
class PushRefused extends Error {
  override name = 'PushRefused'
  constructor(readonly reason: 'denied' | 'failed') {
    super(reason)
  }
}

export function createPushDevice() {
  return {
    obstacle(): PushObstacle | null {
      if (!isSecureContext) return 'insecure'
      if (isApplePhone() && !isInstalled()) return 'home-screen'
      if (!('serviceWorker' in navigator) || !('PushManager' in globalThis) || !('Notification' in globalThis))
        return 'unsupported'
      return Notification.permission === 'denied' ? 'denied' : null
    },
    /** Whether the user has allowed notifications before. */
    isAllowed: () => 'Notification' in globalThis && Notification.permission === 'granted',
    /** The existing subscription; null = none, or one for another key of the server. */
    async current(serverKey: string): Promise<PushSubscriptionKeys | null> {
      const subscription = await (await pushManager()).getSubscription()
      if (!subscription || !isFor(subscription, serverKey)) return null
      return keysOf(subscription)
    },
    /** Asks the user for permission, right after a press: browsers ignore it later. Throws `PushRefused`. */
    async ask() {
      if ((await Notification.requestPermission()) !== 'granted') throw new PushRefused('denied')
    },
    /** Subscribes again, once the user has allowed it. Throws `PushRefused`. */
    async subscribe(serverKey: string): Promise<PushSubscriptionKeys> {
      const manager = await pushManager()
      try {
        await (await manager.getSubscription())?.unsubscribe()
        return keysOf(await manager.subscribe({ userVisibleOnly: true, applicationServerKey: serverKey }))
      } catch (error) {
        throw new PushRefused((error as Error).name === 'NotAllowedError' ? 'denied' : 'failed')
      }
    },
    async unsubscribe() {
      await (await (await pushManager()).getSubscription())?.unsubscribe()
    },
  }
}

/** Throws `PushRefused` if the worker that shows messages does not start. */
async function pushManager(): Promise<PushManager> {
  const late = new Promise<null>(resolve => setTimeout(resolve, PATIENCE_MS, null))
  const registration = await Promise.race([navigator.serviceWorker.ready, late])
  if (!registration) throw new PushRefused('failed')
  return registration.pushManager
}

/** iPads claim to be Macs, which have no touch. */
const isApplePhone = () =>
  /iphone|ipad|ipod/i.test(navigator.userAgent) ||
  (/macintosh/i.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

const isInstalled = () => matchMedia('(display-mode: standalone), (display-mode: fullscreen)').matches

function isFor({ options: { applicationServerKey: key } }: PushSubscription, serverKey: string): boolean {
  // Some browsers do not say.
  return key === null || base64url(key) === serverKey
}

function keysOf(subscription: PushSubscription): PushSubscriptionKeys {
  const { endpoint } = subscription
  const [p256dh, auth] = (['p256dh', 'auth'] as const).map(name => base64url(subscription.getKey(name)!))
  return { endpoint, p256dh: p256dh!, auth: auth! }
}

const base64url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

let isFollowing = false

/** Opens the page of a notification when it is pressed, without reloading. `prefix`: the path of the server. */
export function followOpenedNotices(prefix: string) {
  if (isFollowing) return
  isFollowing = true
  navigator.serviceWorker?.addEventListener('message', ({ data, ports }: MessageEvent) => {
    const { open, isListening } = (data ?? {}) as { open?: unknown; isListening?: unknown }
    if (isListening) ports[0]?.postMessage(true)
    if (typeof open === 'string') navigate(`${prefix}/ui/${open}`)
  })
}
