const QUIET = 0.008
const MOMENT_MS = 300

/**
 * Distinguishes silence from the pause between two words, by the loudness now (root mean square, 0 to 1): silence is
 * quieter than -42 dB for longer than a moment.
 */
export function createSilenceDetector() {
  let quietSince: number | null = null
  return (loudness: number, now: number): boolean => {
    if (loudness > QUIET) quietSince = null
    else quietSince ??= now
    return quietSince !== null && now - quietSince >= MOMENT_MS
  }
}
