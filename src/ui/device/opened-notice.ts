import { navigate } from 'wouter/use-browser-location'

let isFollowing = false

/**
 * Opens the page of a notification that is pressed, without loading anything anew. `prefix`: the path of the server.
 */
export function followOpenedNotices(prefix: string) {
  if (isFollowing) return
  isFollowing = true
  navigator.serviceWorker?.addEventListener('message', ({ data, ports }: MessageEvent) => {
    const { open, isListening } = (data ?? {}) as { open?: unknown; isListening?: unknown }
    if (isListening) ports[0]?.postMessage(true)
    if (typeof open === 'string') navigate(`${prefix}/ui/${open}`)
  })
}
