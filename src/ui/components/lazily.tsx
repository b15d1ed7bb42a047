import { Component, lazy, Suspense, type ComponentType, type ReactNode } from 'react'
import { idle } from '../device/load-code'
import { Failed } from './states'

const loads: (() => Promise<unknown>)[] = []
/** By then the requested page has its content and its covers, even over a slow network. */
const REST_AFTER_MS = 5000

type Module = { default: ComponentType<object> }
type Lazy<P> = ComponentType<P> & { load: () => Promise<unknown> }

/** A component whose code is loaded when it is first shown, or earlier by its `load` or by `loadRest`. */
export function lazily<P extends object>(find: () => Promise<ComponentType<P>>): Lazy<P> {
  let loaded: Module | null = null
  const load = async () => (loaded ??= { default: (await find()) as ComponentType<object> })
  loads.push(load)
  const begin = () => lazy(() => (loaded ? atOnce(loaded) : load()))
  let Part = begin()
  const LazyPart = (props: P) => (
    // A lazy component remembers its failure, so trying again needs a new one.
    <Fence onRetry={() => (Part = begin())}>
      {() => (
        <Suspense>
          <Part {...props} />
        </Suspense>
      )}
    </Fence>
  )
  return Object.assign(LazyPart, { load })
}

/** Resolves without a turn of the event loop: a component that waits for a promise first shows nothing, for 0.3 s. */
function atOnce(module: Module): Promise<Module> {
  // oxlint-disable-next-line unicorn/no-thenable -- React asks for a thenable; a promise always resolves later.
  return { then: (show: (module: Module) => void) => show(module) } as Promise<Module>
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

/**
 * Loads the code of all parts not shown yet, after some seconds and one after the other in idle moments: then no click
 * waits for it, even if the server is updated in the meantime. A service worker keeps all of it anyway.
 */
export async function loadRest() {
  await new Promise(done => setTimeout(done, REST_AFTER_MS))
  if (await navigator.serviceWorker?.getRegistration().catch(() => undefined)) return
  for (const load of loads) {
    await idle()
    await load().catch(() => undefined)
  }
}
