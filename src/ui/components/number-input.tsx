import { useState, type ComponentProps } from 'react'

type Props = Omit<ComponentProps<'input'>, 'value' | 'min' | 'max' | 'onChange'> & {
  value: number
  min: number
  max: number
  onChange: (value: number) => void
}

/** A whole number between two others. What is typed in the meantime and is none of them is shown, but not passed on. */
export function NumberInput({ value, min, max, onChange, ...input }: Props) {
  const [text, setText] = useState(String(value))
  const isFine = (typed: string) => /^\d+$/.test(typed) && Number(typed) >= min && Number(typed) <= max
  return (
    <input
      {...input}
      type="number"
      inputMode="numeric"
      required
      min={min}
      max={max}
      // Another value may have come from elsewhere.
      value={isFine(text) && Number(text) !== value ? String(value) : text}
      onChange={event => {
        setText(event.target.value)
        if (isFine(event.target.value)) onChange(Number(event.target.value))
      }}
    />
  )
}
