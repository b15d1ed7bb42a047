import { Check } from 'lucide-react'
import './filter-chip.css'

/** A filter that can be switched on and off. */
export function FilterChip({
  label,
  isOn,
  onToggle,
}: {
  label: string
  isOn: boolean
  onToggle: (isOn: boolean) => void
}) {
  return (
    <button type="button" className="filter-chip" aria-pressed={isOn} onClick={() => onToggle(!isOn)}>
      {isOn && <Check size={16} aria-hidden="true" />}
      <span>{label}</span>
    </button>
  )
}
