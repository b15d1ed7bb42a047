import type { ReactNode } from 'react'

type Props = {
  children: ReactNode
  isOn: boolean
  onChange: (isOn: boolean) => void
  isDisabled?: boolean
  /** The accessible name, for a label that contains more than the name. */
  name?: string
}

/** A checkbox with its label. */
export function Check({ children, isOn, onChange, isDisabled = false, name }: Props) {
  return (
    <label className="check">
      <input
        type="checkbox"
        aria-label={name}
        disabled={isDisabled}
        checked={isOn}
        onChange={event => onChange(event.target.checked)}
      />
      {children}
    </label>
  )
}
