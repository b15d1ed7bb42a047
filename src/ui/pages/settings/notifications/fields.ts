import type { Destination, NewsType } from '../../../../shared/api/destination'
import { usualNews } from './kinds'

/** What the form of a destination holds. */
export type Fields = {
  name: string
  address: string
  token: string
  events: readonly NewsType[]
  isQuiet: boolean
  from: string
  to: string
}

export const newFields = (name: string): Fields => ({
  name,
  address: '',
  token: '',
  events: usualNews,
  isQuiet: false,
  from: '22:00',
  to: '07:00',
})

/** Addresses and tokens are never shown again: empty fields leave them as they are. */
export const fieldsOf = ({ name, events, quietHours }: Destination): Fields => ({
  ...newFields(name),
  events,
  isQuiet: quietHours !== null,
  ...quietHours,
})

/** What every destination is saved with: its times are those of this browser, its words those of this page. */
export function wishesOf({ name, events, isQuiet, from, to }: Fields, language: string) {
  return {
    name: name.trim(),
    events: [...events],
    quietHours: isQuiet ? { from, to } : null,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    language,
  }
}
