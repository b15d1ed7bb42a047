import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import './components.css'
import './panels.css'

/** Links to a few sibling pages; the current one is raised. */
export function Segments({ label, items }: { label: string; items: readonly { to: string; label: string }[] }) {
  const [location] = useLocation()
  return (
    <nav className="segments fits rigid shaded" aria-label={label}>
      {items.map(({ to, label }) => (
        <Link
          key={to}
          className="reach plain text-s strong faint centred rigid nowrap undecorated"
          href={to}
          aria-current={to === location ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}

type Choice<T extends string> = { value: T; label: string; icon?: React.ReactNode }

/** A choice of a few values, one of which is always chosen. With an icon, the label is its name. */
export function SegmentedChoice<T extends string>({
  label,
  choices,
  value,
  onChange,
}: {
  label: string
  choices: readonly Choice<T>[]
  value: T
  onChange: (value: T) => void
}) {
  return (
    <div className="segments fits rigid shaded" role="group" aria-label={label}>
      {choices.map(choice => (
        <button
          key={choice.value}
          type="button"
          className="reach plain text-s strong faint centred rigid nowrap undecorated"
          aria-pressed={choice.value === value}
          {...(choice.icon !== undefined && { 'aria-label': choice.label, title: choice.label })}
          onClick={() => onChange(choice.value)}
        >
          {choice.icon ?? choice.label}
        </button>
      ))}
    </div>
  )
}

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
    <nav ref={bar} className="tabs flex" aria-label={label}>
      {tabs.map(tab => (
        <Link
          key={tab.to}
          className="plain strong faint rigid nowrap undecorated row"
          href={tab.to}
          aria-current={tab.to === current ? 'page' : undefined}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}

/** A choice of this browser, and the function that changes it. `preset`: what is chosen at first. */
export function useRemembered<T extends string>(key: string, values: readonly T[], preset: T) {
  const [value, setValue] = useState<T>(() => values.find(known => known === localStorage.getItem(key)) ?? preset)
  function choose(next: T) {
    setValue(next)
    localStorage.setItem(key, next)
  }
  return [value, choose] as const
}
