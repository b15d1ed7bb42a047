import { lazy, Suspense, type ComponentType } from 'react'

const loads: (() => Promise<unknown>)[] = []

/** A component whose code comes when it is first shown, or, by `loadRest`, when there is nothing else to do. */
export function lazily<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  loads.push(load)
  const Part = lazy(async () => ({ default: (await load()) as ComponentType<object> }))
  return props => (
    <Suspense>
      <Part {...props} />
    </Suspense>
  )
}

/** Fetches what was not shown yet, one after the other, so that no click waits for it. */
export async function loadRest() {
  for (const load of loads) await load().catch(() => undefined)
}
