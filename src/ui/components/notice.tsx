import type { ReactNode } from 'react'
import './notice.css'

/** Something to know, in its place: what failed is told to screen readers at once. */
export function Notice({ title, children, isFailure }: { title?: string; children?: ReactNode; isFailure?: boolean }) {
  return (
    <div className={`notice ${isFailure ? 'is-failure' : ''}`} role={isFailure ? 'alert' : undefined}>
      {title && <strong>{title}</strong>}
      {children && <div>{children}</div>}
    </div>
  )
}
