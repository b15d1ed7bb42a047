import type { ReactNode } from 'react'
import './notice.css'

/** A message in its place on the page. Screen readers read a failure at once. */
export function Notice({ title, children, isFailure }: { title?: string; children?: ReactNode; isFailure?: boolean }) {
  return (
    <div className={`notice ${isFailure ? 'is-failure' : ''}`} role={isFailure ? 'alert' : undefined}>
      {title && <strong>{title}</strong>}
      {children && <div>{children}</div>}
    </div>
  )
}
