import { Link } from 'wouter'
import './tabs.css'

/** Sub-pages of a page, each with an address. */
export function Tabs({
  label,
  tabs,
  current,
}: {
  label: string
  tabs: readonly { to: string; label: string }[]
  current: string
}) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(tab => (
        <Link key={tab.to} href={tab.to} aria-current={tab.to === current ? 'page' : undefined}>
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}
