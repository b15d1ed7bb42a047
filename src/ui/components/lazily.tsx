import { Component, lazy, Suspense, type ComponentType, type ReactNode } from 'react'
import { Failed } from './states'

const loads: (() => Promise<unknown>)[] = []

/** A component whose code comes when it is first shown, or, by `loadRest`, when there is nothing else to do. */
export function lazily<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  loads.push(load)
  const begin = () => lazy(async () => ({ default: (await load()) as ComponentType<object> }))
  let Part = begin()
  return props => (
    // What failed to come is remembered as failed: trying again needs another one.
    <Fence onRetry={() => (Part = begin())}>
      {() => (
        <Suspense>
          <Part {...props} />
        </Suspense>
      )}
    </Fence>
  )
}

/** A part whose code cannot be had, or that breaks, takes nothing else with it. */
class Fence extends Component<{ onRetry: () => void; children: () => ReactNode }, { error: unknown }> {
  override state = { error: null as unknown }
  static getDerivedStateFromError = (error: unknown) => ({ error })
  override render() {
    if (this.state.error === null) return this.props.children()
    const again = () => {
      this.props.onRetry()
      this.setState({ error: null })
    }
    return <Failed error={this.state.error} onRetry={again} />
  }
}

/** Fetches what was not shown yet, one after the other, so that no click waits for it. */
export async function loadRest() {
  for (const load of loads) await load().catch(() => undefined)
}
