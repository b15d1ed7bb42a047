export const playbackRates = [0.5, 1, 1.1, 1.25, 1.5, 2, 2.5, 3] as const

/** The next rate in the cycle: the first after the last, 1 after an unknown one. */
export function nextPlaybackRate(rate: number): number {
  const index = playbackRates.indexOf(rate as (typeof playbackRates)[number])
  return index === -1 ? 1 : (playbackRates[(index + 1) % playbackRates.length] ?? 1)
}
