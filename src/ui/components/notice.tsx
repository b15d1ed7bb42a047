import { CircleX, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import './panels.css'

/** A message in its place on the page. Screen readers read a failure at once. */
export function Notice({ title, children, isFailure }: { title?: string; children?: ReactNode; isFailure?: boolean }) {
  const Icon = isFailure ? CircleX : Info
  return (
    <div className={`notice ${isFailure ? 'is-failure' : ''}`} role={isFailure ? 'alert' : undefined}>
      <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
      <div>
        {title && <strong>{title}</strong>}
        {children && <div>{children}</div>}
      </div>
    </div>
  )
}
