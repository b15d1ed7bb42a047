import { signal } from '@preact/signals-core'
import type { ServerEvents } from '../../shared/server-event'

export type LiveTranscription = ServerEvents['transcriptionProgress']
export type LiveTranscriptions = ReturnType<typeof createLiveTranscriptions>

/** The last news of each transcription since the page was opened, by the `id` of its episode. */
export function createLiveTranscriptions() {
  const byEpisode = signal<ReadonlyMap<string, LiveTranscription>>(new Map())
  const gaps = signal(0)
  return {
    byEpisode,
    /** The number of times that news may have been missed: then a page that shows a transcription loads it again. */
    gaps,
    missed() {
      byEpisode.value = new Map([...byEpisode.value].filter(([, { state }]) => state === 'done'))
      gaps.value++
    },
    progressed(event: LiveTranscription) {
      byEpisode.value = new Map(byEpisode.value).set(event.episodeId, event)
    },
  }
}
