import { useEffect, type ReactNode } from 'react'
import './page-header.css'

/** The page's only `h1`, which is also the document's title, and the actions of the page as a whole. */
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
