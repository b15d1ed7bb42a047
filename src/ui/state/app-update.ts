import { signal } from '@preact/signals-core'

/**
 * The installed application: its worker keeps the shell for when the server is away. A new version is offered and taken
 * when its user says so. Without https there are no workers, and nothing happens here.
 */
export function createAppUpdate(prefix: string) {
  const isReady = signal(false)
  let registration: ServiceWorkerRegistration | null = null

  /** A worker that is installed, beside one that still does the work, is the new version. */
  function look() {
    isReady.value = registration?.waiting != null && navigator.serviceWorker.controller !== null
  }

  return {
    isReady,
    async start() {
      if (!('serviceWorker' in navigator)) return
      registration = await navigator.serviceWorker.register(`${prefix}/ui/public/service-worker.js`, {
        scope: `${prefix}/ui/`,
        updateViaCache: 'none',
      })
      look()
      registration.addEventListener('updatefound', () =>
        registration?.installing?.addEventListener('statechange', look),
      )
    },
    /** Asks whether there is a new version: the server may have become another one. */
    check: () => void registration?.update().catch(() => undefined),
    /** The page begins anew with the new version. */
    take() {
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload())
      registration?.waiting?.postMessage('take-over')
    },
  }
}
