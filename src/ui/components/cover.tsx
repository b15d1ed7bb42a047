import { type CSSProperties, useState } from 'react'
import { type CoverSize, withSize } from '../api/client'
import './components.css'

type Props = { src: string; name: string; size: CoverSize; isMissing?: boolean; eager?: boolean }

/**
 * A square picture. Until it is loaded, or if there is none, initials on a colour made from the name keep its place.
 */
export function Cover({ src, name, size, isMissing = false, eager = false }: Props) {
  const [failedSrc, setFailedSrc] = useState<string | null>(null)
  const hasPicture = !isMissing && failedSrc !== src
  return (
    <span className={`cover is-${size} center`} style={{ '--hue': hueOf(name) } as CSSProperties} aria-hidden="true">
      {!hasPicture && <span className="cover-initials strong">{initialsOf(name)}</span>}
      {hasPicture && (
        <img
          src={withSize(src, size)}
          srcSet={size <= 512 ? `${withSize(src, size)} 1x, ${withSize(src, (size * 2) as CoverSize)} 2x` : undefined}
          alt=""
          width={size}
          height={size}
          loading={eager ? 'eager' : 'lazy'}
          decoding="async"
          onError={() => setFailedSrc(src)}
        />
      )}
    </span>
  )
}

/** Returns two letters: of "Night Bus" and of "NightBus" the same. */
function initialsOf(name: string): string {
  const words = name.split(/\s+|(?<=\p{Ll})(?=\p{Lu})/u).filter(word => /^[\p{L}\p{N}]/u.test(word))
  return words
    .slice(0, 2)
    .map(word => [...word][0]!.toUpperCase())
    .join('')
}

const HUES = [190, 20, 60, 110, 150, 235, 280, 330]

/** Returns the hue, in degrees, that replaces a cover: always the same for the same name. */
const hueOf = (name: string) =>
  HUES[[...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 9973, 7) % HUES.length]!

/**
 * Returns the style for an element of class `tinted`. `color`: the colour of the cover as `#rrggbb`; without one, a
 * colour made from the name.
 */
export const tintStyle = (color: string | null | undefined, name: string) =>
  ({ '--cover': color ?? `oklch(0.6 0.06 ${hueOf(name)})` }) as CSSProperties
