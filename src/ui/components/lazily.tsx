import { Component, lazy, Suspense, type ComponentType, type ReactNode } from 'react'
import { Failed } from './states'

const loads: (() => Promise<unknown>)[] = []

/** A component whose code is loaded when it is first shown, or earlier by `loadRest`. */
export function lazily<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  loads.push(load)
  const begin = () => lazy(async () => ({ default: (await load()) as ComponentType<object> }))
  let Part = begin()
  return props => (
    // A lazy component remembers its failure, so trying again needs a new one.
    <Fence onRetry={() => (Part = begin())}>
      {() => (
        <Suspense>
          <Part {...props} />
        </Suspense>
      )}
    </Fence>
  )
}

/** Confines a failure to the part of the page that failed, and offers to try again. */
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

/** Loads the code of all parts not shown yet, one after the other, so that no click has to wait for it. */
export async function loadRest() {
  for (const load of loads) await load().catch(() => undefined)
}
