import { useSignals } from '@preact/signals-react/runtime'
import { useApp } from '../app-context'
import { tintStyle } from '../components/cover'
import type { Playing } from '../playback/state'

/** Returns the style that tints a part of the player by the cover of the episode, or of its podcast. */
export function useTint({ episode, podcastId, podcastName }: Playing) {
  useSignals()
  const { library } = useApp()
  return tintStyle(episode.coverColor ?? library.byId.value.get(podcastId)?.coverColor, podcastName || episode.name)
}
