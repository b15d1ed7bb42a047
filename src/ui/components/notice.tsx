import { CircleX, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import './panels.css'

/** A message in its place on the page. Screen readers read a failure at once. */
export function Notice({ title, children, isFailure }: { title?: string; children?: ReactNode; isFailure?: boolean }) {
  const Icon = isFailure ? CircleX : Info
  return (
    <div
      className={`notice flex text-s shaded curved gap-12 ${isFailure ? 'is-failure' : ''}`}
      role={isFailure ? 'alert' : undefined}
    >
      <Icon className={isFailure ? 'field-failure' : 'faint'} size={20} strokeWidth={1.75} aria-hidden="true" />
      <div className="shrinks breaks">
        {title && <strong className={isFailure ? 'field-failure' : ''}>{title}</strong>}
        {children && <div>{children}</div>}
      </div>
    </div>
  )
}
