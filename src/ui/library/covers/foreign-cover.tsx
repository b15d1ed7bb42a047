import { useState } from 'react'
import { Cover } from '../../components/cover'

type Props = { src: string | null; name: string; size: 64 | 256 }

/** The picture of a podcast that the server does not have, from its own host. */
export function ForeignCover({ src, name, size }: Props) {
  const [failedSrc, setFailedSrc] = useState<string | null>(null)
  if (src === null || src === failedSrc) return <Cover src="" name={name} size={size} isMissing />
  return (
    <span className={`cover is-${size} center`} aria-hidden="true">
      <img
        src={src}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        onError={() => setFailedSrc(src)}
      />
    </span>
  )
}
