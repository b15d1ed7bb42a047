import { useEffect, type ReactNode } from 'react'
import './page-header.css'

/** The page's one `h1`, also the document's title, and what can be done with the page as a whole. */
export function PageHeader({ title, children }: { title: string; children?: ReactNode }) {
  useTitle(title)
  return (
    <div className="page-header">
      <h1>{title}</h1>
      <div className="page-actions">{children}</div>
    </div>
  )
}

export function useTitle(title: string) {
  useEffect(() => {
    document.title = title ? `${title} · Castellan` : 'Castellan'
  }, [title])
}
