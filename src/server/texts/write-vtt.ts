import { SECOND } from '../platform/clock'
import type { Segment } from '../store/documents'

type Timed = Pick<Segment, 'startMs' | 'endMs' | 'speaker' | 'text'>

/** Seconds that a cue stays where nothing says when it ends, and none follows. */
const LAST_CUE_S = 10

/** Writes segments as WebVTT (https://www.w3.org/TR/webvtt1/): players read it, and so do podcast apps. */
export function writeVtt(segments: readonly Timed[]): string {
  const cues = segments.flatMap(({ startMs, endMs, speaker, text }, index) => {
    if (startMs === null) return []
    const end = endMs ?? Math.max(segments[index + 1]?.startMs ?? 0, startMs + LAST_CUE_S * SECOND)
    const voice = speaker === null ? '' : `<v ${escape(speaker)}>`
    return `${timestamp(startMs)} --> ${timestamp(end)}\n${voice}${escape(text)}\n`
  })
  return ['WEBVTT\n', ...cues].join('\n')
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function timestamp(ms: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const seconds = ms / SECOND
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}.${String(ms % SECOND).padStart(3, '0')}`
}
