import type { CSSProperties } from 'react'

const HUES = [190, 20, 60, 110, 150, 235, 280, 330]

/** Returns the hue, in degrees, that stands in for a cover: always the same for the same name. */
export const hueOf = (name: string) =>
  HUES[[...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 9973, 7) % HUES.length]!

/**
 * Returns the style for an element of class `tinted`. `color`: the colour of the cover as `#rrggbb`; without one, a
 * colour made from the name.
 */
export const tintStyle = (color: string | null | undefined, name: string) =>
  ({ '--cover': color ?? `oklch(0.6 0.06 ${hueOf(name)})` }) as CSSProperties
