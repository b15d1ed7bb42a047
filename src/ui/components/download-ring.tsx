import './components.css'

const RADIUS = 9.5
const LENGTH = 2 * Math.PI * RADIUS

/** The progress of a download around the icon of its button, 0 to 1. Null = unknown: the ring turns. */
export function DownloadRing({ share }: { share: number | null }) {
  return (
    <svg className={`ring ${share === null ? 'is-indeterminate' : ''}`} viewBox="0 0 22 22" aria-hidden="true">
      <circle cx="11" cy="11" r={RADIUS} className="ring-track" />
      <circle
        cx="11"
        cy="11"
        r={RADIUS}
        className="ring-value"
        strokeDasharray={LENGTH}
        strokeDashoffset={LENGTH * (1 - (share ?? 0.25))}
      />
    </svg>
  )
}
