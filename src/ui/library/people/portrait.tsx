import { useState } from 'react'
import '../library.css'

type Props = { name: string; picture: string | null | undefined }

/** The picture of a person, or the first letter of the name if there is none that can be loaded. */
export function Portrait({ name, picture }: Props) {
  const [failed, setFailed] = useState<string | null>(null)
  if (!picture || failed === picture)
    return (
      <span className="portrait disc" aria-hidden="true">
        {[...name][0]}
      </span>
    )
  return <img className="portrait disc" src={picture} alt="" loading="lazy" onError={() => setFailed(picture)} />
}
