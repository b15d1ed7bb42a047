import { useSignals } from '@preact/signals-react/runtime'
import { useLayoutEffect, useRef, useState } from 'react'
import { createResource, type Load } from './resource'

type Options = { debounceMs?: number }

/**
 * Loads when a component appears, and again when one of `args` changes; leaving the page cancels. `load` gets `args`
 * after the signal, so an API call without arguments can be given as it is: `useResource(api.tags.list, [])`.
 */
export function useResource<T, Args extends readonly unknown[]>(
  load: Load<T, Args>,
  args: readonly [...Args],
  { debounceMs = 0 }: Options = {},
) {
  useSignals()
  const latest = useRef(load)
  useLayoutEffect(() => {
    latest.current = load
  })
  const [resource] = useState(() =>
    createResource<T, Args>((signal, ...given) => latest.current(signal, ...given), { debounceMs }),
  )
  // Before the first paint, which takes longer than the answer on a slow phone.
  useLayoutEffect(() => {
    void resource.load(...args)
    return resource.cancel
    // The arguments are the dependencies, as many as there were at first.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [resource, ...args])
  return {
    data: resource.data.value,
    error: resource.error.value,
    isLoading: resource.isLoading.value,
    isStale: resource.isStale.value,
    retry: resource.retry,
    set: resource.set,
    change: resource.change,
  }
}
