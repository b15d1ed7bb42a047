import { GlobalRegistrator } from '@happy-dom/global-registrator'
import { afterEach } from 'bun:test'

// Loaded before the tests of components, which run in a process of their own: a browser's globals replace those of Bun,
// `fetch` and `Response` among them, for as long as the process lasts.

GlobalRegistrator.register({ url: 'http://localhost/ui/' })
// Tells React that the tests wait for its updates.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
// This DOM has no top layer; what is shown in it stands in the page.
HTMLElement.prototype.showPopover ??= () => undefined
// No texts are loaded, so a text is its key.
await import('../../src/ui/i18n')
const { cleanup } = await import('@testing-library/react')
afterEach(cleanup)
