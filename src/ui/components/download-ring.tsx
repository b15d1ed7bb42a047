import './download-ring.css'

const RADIUS = 16
const LENGTH = 2 * Math.PI * RADIUS

/** The progress of a download around its button, 0 to 1. Null = unknown: the ring turns. */
export function DownloadRing({ share }: { share: number | null }) {
  return (
    <svg className={`ring ${share === null ? 'is-indeterminate' : ''}`} viewBox="0 0 40 40" aria-hidden="true">
      <circle cx="20" cy="20" r={RADIUS} className="ring-track" />
      <circle
        cx="20"
        cy="20"
        r={RADIUS}
        className="ring-value"
        strokeDasharray={LENGTH}
        strokeDashoffset={LENGTH * (1 - (share ?? 0.25))}
      />
    </svg>
  )
}
