import { useCallback, useEffect, useState } from 'react'

/** Loads data when a page opens; `load` repeats it. `data` is null until it arrives. `ask` must keep its identity between renders. */
export function useLoaded<T>(ask: () => Promise<T>) {
  const [data, setData] = useState<T | null>(null)
  const [error, setError] = useState<unknown>(null)
  const load = useCallback(() => {
    setError(null)
    ask().then(setData, setError)
  }, [ask])
  useEffect(load, [load])
  return { data, setData, error, load }
}
