import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import './panels.css'

/** Links to the sub-pages of a page. */
export function Tabs({
  label,
  tabs,
  current,
}: {
  label: string
  tabs: readonly { to: string; label: string }[]
  current: string
}) {
  const bar = useRef<HTMLElement>(null)
  // On a phone the tabs may not all fit.
  useEffect(() => {
    const here = bar.current?.querySelector<HTMLElement>('[aria-current]')
    if (here) bar.current!.scrollLeft = here.offsetLeft - bar.current!.offsetLeft - 32
  }, [current])
  return (
    <nav ref={bar} className="tabs" aria-label={label}>
      {tabs.map(tab => (
        <Link key={tab.to} className="row" href={tab.to} aria-current={tab.to === current ? 'page' : undefined}>
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}
