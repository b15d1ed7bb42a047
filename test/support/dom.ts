import { GlobalRegistrator } from '@happy-dom/global-registrator'
import { afterEach } from 'bun:test'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'

// Loaded before the tests of components, which run in a process of their own: a browser's globals replace those of Bun,
// `fetch` and `Response` among them, for as long as the process lasts.

GlobalRegistrator.register({ url: 'http://localhost/ui/' })
// Tells React that the tests wait for its updates.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
// Texts are their keys.
await i18next.use(initReactI18next).init({ lng: 'cimode', keySeparator: false, nsSeparator: false })
const { cleanup } = await import('@testing-library/react')
afterEach(cleanup)
