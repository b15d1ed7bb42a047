import type { CSSProperties, InputHTMLAttributes, KeyboardEvent } from 'react'

const PAGE = 10

type Props = {
  label: string
  value: number
  max: number
  /** The value in words, for screen readers. */
  text: string
  disabled?: boolean
  onChange: (value: number) => void
  onCommit?: () => void
} & Pick<InputHTMLAttributes<HTMLInputElement>, 'className' | 'onFocus'>

/** A slider that moves in steps of one; in steps of ten with the page keys, or with Shift. */
export function Slider({ label, value, max, text, disabled = false, onChange, onCommit, ...rest }: Props) {
  function onKeyDown(event: KeyboardEvent) {
    const isUp = event.key === 'ArrowUp' || event.key === 'ArrowRight'
    const isDown = event.key === 'ArrowDown' || event.key === 'ArrowLeft'
    const by =
      event.key === 'PageUp' || (isUp && event.shiftKey)
        ? PAGE
        : event.key === 'PageDown' || (isDown && event.shiftKey)
          ? -PAGE
          : 0
    if (by === 0) return
    event.preventDefault()
    onChange(Math.min(max, Math.max(0, value + by)))
  }
  return (
    <input
      {...rest}
      type="range"
      min={0}
      max={max}
      step={1}
      value={value}
      disabled={disabled}
      style={{ '--share': value / max } as CSSProperties}
      aria-label={label}
      aria-valuetext={text}
      onChange={event => onChange(Number(event.target.value))}
      onKeyDown={onKeyDown}
      onPointerUp={onCommit}
      onKeyUp={onCommit}
      onBlur={onCommit}
    />
  )
}
