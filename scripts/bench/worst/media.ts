import { hostileMedia } from '../../../test/support/hostile-media'
import type { WorstInput } from './input'

/** Media files whose tags and tables take the most memory or time, as far as anybody knows. */
export const media: WorstInput[] = Object.entries(hostileMedia).map(([name, { type, make }]) => ({
  name,
  body: () => make(),
  headers: { 'Content-Type': type },
}))
