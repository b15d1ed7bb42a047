import { useState } from 'react'
import { sorts, type Sort } from './arrange'

export const views = ['grid', 'compact', 'list'] as const
type View = (typeof views)[number]

export type Arrangement = ReturnType<typeof useArrangement>

/** The order and the form of the list, remembered by this browser. */
export function useArrangement() {
  const [sort, setSort] = useRemembered<Sort>('podcasts.sort', sorts, 'title')
  const [view, setView] = useRemembered<View>('podcasts.view', views, 'grid')
  return { sort, setSort, view, setView }
}

function useRemembered<T extends string>(key: string, values: readonly T[], preset: T) {
  const [value, setValue] = useState<T>(() => values.find(known => known === localStorage.getItem(key)) ?? preset)
  function choose(next: T) {
    setValue(next)
    localStorage.setItem(key, next)
  }
  return [value, choose] as const
}
