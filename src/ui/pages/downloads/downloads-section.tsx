import type { ReactNode } from 'react'

type Props = {
  title: string
  count: number
  /** There are more than the section shows. */
  isCut?: boolean
  action?: ReactNode
  children: ReactNode
}

/** A part of the page of downloads, left out while it is empty. */
export function Section({ title, count, isCut, action, children }: Props) {
  if (count === 0) return null
  return (
    <section>
      <div className="downloads-heading wrap row gap-8 spread">
        <h2>
          {title} <span className="numbers">{isCut ? `${count}+` : count}</span>
        </h2>
        {action}
      </div>
      <ul className="download-list">{children}</ul>
    </section>
  )
}
