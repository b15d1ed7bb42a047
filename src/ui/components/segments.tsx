import { Link, useLocation } from 'wouter'
import './components.css'

/** Links to a few pages that lie side by side; the current one is raised. */
export function Segments({ label, items }: { label: string; items: readonly { to: string; label: string }[] }) {
  const [location] = useLocation()
  return (
    <nav className="segments" aria-label={label}>
      {items.map(({ to, label }) => (
        <Link key={to} className="reach" href={to} aria-current={to === location ? 'page' : undefined}>
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
    <div className="segments" role="group" aria-label={label}>
      {choices.map(choice => (
        <button
          key={choice.value}
          type="button"
          className="reach"
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
