import { useApp } from '../app-context'
import { routes } from '../routes'
import type { Playing } from '../playback/state'

/** Returns the function that makes the address of a second of an episode. */
export function useMomentAddress({ episode, podcastId }: Playing) {
  const { prefix } = useApp()
  return (seconds: number) =>
    new URL(`${prefix}/ui${routes.episodes(podcastId, episode.id, seconds)}`, location.href).href
}
