/** An arrow around a number of seconds. */
export function SkipIcon({ seconds, isForward }: { seconds: number; isForward: boolean }) {
  return (
    <svg className="skip-icon" viewBox="0 0 28 28" aria-hidden="true">
      <g transform={isForward ? 'matrix(-1 0 0 1 28 0)' : undefined}>
        <path d="M4.5 4v5.5H10" />
        <path d="M4.5 9.5A11 11 0 1 1 3 14" />
      </g>
      <text x="14" y="17.6" textAnchor="middle">
        {seconds}
      </text>
    </svg>
  )
}
