import type { Destination, NewsType } from '../../../../shared/api/destination'
import { usualNews } from './kinds'

/** The fields of a destination's form. */
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

/** The fields that every destination is saved with: times of this browser's zone, words in this page's language. */
export function wishesOf({ name, events, isQuiet, from, to }: Fields, language: string) {
  return {
    name: name.trim(),
    events: [...events],
    quietHours: isQuiet ? { from, to } : null,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    language,
  }
}
