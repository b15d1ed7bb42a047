import type { ReactNode } from 'react'

type Props = { label: string; help?: ReactNode; isOn: boolean; onChange: (isOn: boolean) => void }

/** A switch with its label. */
export function Switch({ label, help, isOn, onChange }: Props) {
  return (
    <label className="check">
      <input
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        onChange={event => onChange(event.target.checked)}
      />
      <span>
        {label}
        {help && <small>{help}</small>}
      </span>
    </label>
  )
}
