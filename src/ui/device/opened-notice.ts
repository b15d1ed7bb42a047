import { navigate } from 'wouter/use-browser-location'

let isFollowing = false

/** Goes to the page of a notification that is pressed, without loading anything anew. `prefix`: the path of the server. */
export function followOpenedNotices(prefix: string) {
  if (isFollowing) return
  isFollowing = true
  navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent) => {
    const path = (data as { open?: unknown } | null)?.open
    if (typeof path === 'string') navigate(`${prefix}/ui/${path}`)
  })
}
