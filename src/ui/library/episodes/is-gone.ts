import type { Episode } from '../../../shared/api/episode'

/**
 * Whether an episode can no longer be played: its address now holds a newer one, and its file was never
 * downloaded.
 */
export const isGone = ({ superseded, status }: Episode) => superseded && !status
