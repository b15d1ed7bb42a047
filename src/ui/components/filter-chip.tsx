import type { ReactNode } from 'react'
import { Link } from 'wouter'
import './components.css'
import { formatCount } from '../format'

type Props = {
  label: ReactNode
  /** A number after the label. */
  count?: number | undefined
  isOn: boolean
  onToggle: (isOn: boolean) => void
}

/** A filter that can be switched on and off. */
export function FilterChip({ label, count, isOn, onToggle }: Props) {
  return (
    <button
      type="button"
      className="filter-chip with-icon gap-6 muted"
      aria-pressed={isOn}
      onClick={() => onToggle(!isOn)}
    >
      <ChipLabel label={label} count={count} />
    </button>
  )
}

/** A filter that is its own page. */
export function LinkChip({
  label,
  count,
  to,
  isCurrent,
}: Pick<Props, 'label' | 'count'> & { to: string; isCurrent: boolean }) {
  return (
    <Link className="filter-chip with-icon gap-6 muted" href={to} aria-current={isCurrent ? 'page' : undefined} replace>
      <ChipLabel label={label} count={count} />
    </Link>
  )
}

function ChipLabel({ label, count }: Pick<Props, 'label' | 'count'>) {
  return (
    <>
      <span className="truncate" dir="auto">
        {label}
      </span>
      {count !== undefined && <span className="numbers rigid regular">{formatCount(count)}</span>}
    </>
  )
}

/** A row of filter chips that belong together. */
export function FilterGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="filter-group wrap gap-8" role="group" aria-label={label}>
      {children}
    </div>
  )
}
