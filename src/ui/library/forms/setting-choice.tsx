import { Minus, Plus } from 'lucide-react'
import { useState } from 'react'
import { describeFailure } from '../../failure'
import { type RowProps, SettingRow } from './setting-row'

type ChoiceProps<T> = Omit<RowProps, 'children'> & {
  value: T
  options: readonly T[]
  textOf: (option: T) => string
  /** Whether buttons around it lead to the option before and after. */
  isStepped?: boolean
  onChange: (option: T) => void
}

/** A choice of one option. */
export function SettingChoice<T extends string | number>(props: ChoiceProps<T>) {
  const { value, options, textOf, isStepped = false, onChange, ...row } = props
  const at = options.indexOf(value)
  // Its list says all, so nobody needs the buttons to be read out.
  const step = (to: number, Icon: typeof Plus) => (
    <button
      type="button"
      className="icon-button"
      tabIndex={-1}
      aria-hidden="true"
      disabled={options[to] === undefined}
      onClick={() => onChange(options[to]!)}
    >
      <Icon size={18} strokeWidth={1.75} />
    </button>
  )
  return (
    <SettingRow {...row}>
      {ids => {
        const list = (
          <select {...ids} value={value} onChange={event => onChange(options[event.target.selectedIndex]!)}>
            {options.map(option => (
              <option key={option} value={option}>
                {textOf(option)}
              </option>
            ))}
          </select>
        )
        if (!isStepped) return list
        return (
          <span className="setting-steps row rounded">
            {step(at - 1, Minus)}
            {list}
            {step(at + 1, Plus)}
          </span>
        )
      }}
    </SettingRow>
  )
}

/**
 * Saves a setting as soon as it is changed. A refused value stays, with the reason and a way to send it again. `saved`:
 * the value as the server knows it.
 */
export function useSetting<T>(saved: T, save: (value: T) => Promise<unknown>) {
  const [wanted, setWanted] = useState<{ chosen: T; failure: string | null } | null>(null)
  async function change(value: T) {
    const mine = { chosen: value, failure: null }
    setWanted(mine)
    const failure = await save(value).then(
      () => null,
      (error: unknown) => describeFailure(error),
    )
    setWanted(now => (now !== mine ? now : failure === null ? null : { chosen: value, failure }))
  }
  return {
    value: wanted ? wanted.chosen : saved,
    failure: wanted?.failure ?? null,
    onChange: (value: T) => void change(value),
    onRetry: () => wanted && void change(wanted.chosen),
  }
}
