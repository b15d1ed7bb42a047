import type { ReactNode } from 'react'
import './filter-group.css'

/** A row of filter chips that belong together. */
export function FilterGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="filter-group" role="group" aria-label={label}>
      {children}
    </div>
  )
}
