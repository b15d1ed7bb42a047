import { computed } from '@preact/signals-core'
import { useSignals } from '@preact/signals-react/runtime'
import { useMemo } from 'react'

/**
 * Returns the result of a computation over signals. The component is drawn again when the result changes, not whenever
 * one of the signals does. `args`: what the computation uses besides signals.
 */
export function useDerived<T>(compute: () => T, args: readonly unknown[]): T {
  useSignals()
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  return useMemo(() => computed(compute), args).value
}
