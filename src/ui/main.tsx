import { createRoot } from 'react-dom/client'
import { App } from './app'
import { AppProvider } from './app-context'
import { createAppState } from './app-state'
import { startLanguage } from './i18n'
import { preloadPage } from './pages'
import { isCallback } from './routes'

// A provider answers a silent renewal by loading this page in a hidden frame.
if (window !== window.parent && isCallback(location)) void answerRenewal()
else void start()

async function answerRenewal() {
  const { answerSilentRenewal } = await import('./state/oidc')
  await answerSilentRenewal(location.href)
}

async function start() {
  const texts = startLanguage()
  const { prefix: given = '', redirects } = document.documentElement.dataset
  // Before the setup nobody but the browser knows the path.
  const prefix = given === 'auto' ? location.pathname.slice(0, location.pathname.indexOf('/ui/')) : given
  const { app, start: startApp } = createAppState(prefix, redirects === 'true')
  void startApp()
  // Shown at once: rendering the frame first would make the page wait a third of a second.
  await Promise.all([texts, preloadPage(location.pathname.slice(`${app.prefix}/ui`.length))])
  createRoot(document.getElementById('root')!).render(
    <AppProvider value={app}>
      <App />
    </AppProvider>,
  )
}
