import type { ReactNode } from 'react'
import { Failed, Skeleton } from './states'

type Props<T> = {
  resource: { data: T | null; error: unknown; retry: () => unknown }
  /** Rows of the skeleton. */
  rows: number
  children: (data: T) => ReactNode
}

/** Shows data once they are loaded; until then a skeleton, or why they are missing and a button to try again. */
export function Loaded<T>({ resource: { data, error, retry }, rows, children }: Props<T>) {
  if (data !== null) return children(data)
  if (error !== null) return <Failed error={error} onRetry={() => void retry()} />
  return <Skeleton kind="row" count={rows} />
}
