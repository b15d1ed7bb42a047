import type { ReactNode } from 'react'
import { Failed, Skeleton } from './states'

type Props<T> = {
  resource: { data: T | null; error: unknown; retry: () => unknown }
  /** Rows of the skeleton. */
  rows: number
  children: (data: T) => ReactNode
}

/**
 * Shows data once they are loaded, until then a skeleton. A failure is shown with a button to try again, above older
 * data.
 */
export function Loaded<T>({ resource: { data, error, retry }, rows, children }: Props<T>) {
  if (data === null && error === null) return <Skeleton kind="row" count={rows} />
  return (
    <>
      {error !== null && <Failed error={error} onRetry={() => void retry()} />}
      {data !== null && children(data)}
    </>
  )
}
