import { signal } from '@preact/signals-core'

/**
 * Updates of the installed application. Its worker keeps the shell for when the server is away; a new version is
 * offered, and begins when its user says so. Without https there are no workers, and nothing happens here.
 */
export function createAppUpdate(prefix: string) {
  const isReady = signal(false)
  let registration: ServiceWorkerRegistration | null = null

  /** A worker that waits while another one is still active is the new version. */
  function inspect() {
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
      inspect()
      registration.addEventListener('updatefound', () =>
        registration?.installing?.addEventListener('statechange', inspect),
      )
    },
    /** Checks for a new version on the server. */
    check: () => void registration?.update().catch(() => undefined),
    /** Loads the page again with the new version. */
    apply() {
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload())
      registration?.waiting?.postMessage('take-over')
    },
  }
}
