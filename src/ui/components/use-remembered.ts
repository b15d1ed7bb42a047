import { useState } from 'react'

/** A choice of this browser, and the function that changes it. `preset`: what is chosen at first. */
export function useRemembered<T extends string>(key: string, values: readonly T[], preset: T) {
  const [value, setValue] = useState<T>(() => values.find(known => known === localStorage.getItem(key)) ?? preset)
  function choose(next: T) {
    setValue(next)
    localStorage.setItem(key, next)
  }
  return [value, choose] as const
}
