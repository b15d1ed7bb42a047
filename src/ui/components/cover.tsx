import { useState, type CSSProperties } from 'react'
import { withSize, type CoverSize } from '../api/client'
import { hueOf } from './tint'
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
      {!hasPicture && <span className="cover-initials">{initialsOf(name)}</span>}
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

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(word => /^[\p{L}\p{N}]/u.test(word))
  return words
    .slice(0, 2)
    .map(word => [...word][0]!.toUpperCase())
    .join('')
}
