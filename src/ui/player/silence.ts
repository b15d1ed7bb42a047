const QUIET = 0.008
const MOMENT_MS = 300

/**
 * Tells silence from the pause between two words, by how loud it is now (root mean square, 0 to 1): quieter than -42 dB
 * for more than a moment.
 */
export function createSilenceDetector() {
  let quietSince: number | null = null
  return (loudness: number, now: number): boolean => {
    if (loudness > QUIET) quietSince = null
    else quietSince ??= now
    return quietSince !== null && now - quietSince >= MOMENT_MS
  }
}
