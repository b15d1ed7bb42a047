import type { ReactNode } from 'react'

/** A row of filter chips that belong together. */
export function FilterGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="filter-group wrap gap-8" role="group" aria-label={label}>
      {children}
    </div>
  )
}
