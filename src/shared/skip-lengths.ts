/** Seconds that a button of the player may skip. */
export const skipSeconds = [10, 15, 30, 45, 60] as const
