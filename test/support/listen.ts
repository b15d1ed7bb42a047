import type { Page } from 'playwright-core'
import { pitches } from './tones'

/** Seconds that one part is heard for. */
export const PART = 0.1

/**
 * Lets a browser decode a file, and tells what it hears in each tenth of a second: the number of the pitch, or null
 * where there is silence or several at once.
 */
export async function listen(page: Page, file: Uint8Array): Promise<{ seconds: number; heard: (number | null)[] }> {
  return page.evaluate(
    async ({ text, pitches, part }) => {
      const bytes = Uint8Array.from(atob(text), character => character.charCodeAt(0))
      const context = new OfflineAudioContext(1, 1, 44_100)
      const sound = await context.decodeAudioData(bytes.buffer)
      const samples = sound.getChannelData(0)
      const length = Math.floor(part * sound.sampleRate)
      /** Measures the share of a pitch in some samples. */
      const strengthOf = (pitch: number, from: number) => {
        let [sine, cosine] = [0, 0]
        for (let at = 0; at < length; at++) {
          const angle = (2 * Math.PI * pitch * at) / sound.sampleRate
          // A window without edges, so that a pitch is not heard in others.
          const weight = 1 - Math.cos((2 * Math.PI * at) / length)
          sine += weight * samples[from + at]! * Math.sin(angle)
          cosine += weight * samples[from + at]! * Math.cos(angle)
        }
        return Math.hypot(sine, cosine) / length
      }
      const heard: (number | null)[] = []
      for (let from = 0; from + length <= samples.length; from += length) {
        // A line of the spectrum sounds a little higher or lower from frame to frame.
        const found = pitches.map(pitch => Math.max(...[-20, -10, 0, 10, 20].map(off => strengthOf(pitch + off, from))))
        const loudest = found.indexOf(Math.max(...found))
        const others = Math.max(...found.filter((_, index) => index !== loudest))
        heard.push(found[loudest]! > 0.005 && found[loudest]! > 3 * others ? loudest : null)
      }
      return { seconds: sound.duration, heard }
    },
    { text: Buffer.from(file).toString('base64'), pitches, part: PART },
  )
}
