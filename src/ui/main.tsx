import { createRoot } from 'react-dom/client'
import { App } from './app'
import { AppProvider } from './app-context'
import { createAppState } from './app-state'
import { startI18n } from './i18n'
import { isCallback } from './state/oidc-callback'

// A provider answers a silent renewal by loading this page in a hidden frame.
if (window !== window.parent && isCallback(location)) void answerRenewal()
else void start()

async function answerRenewal() {
  const { answerSilentRenewal } = await import('./state/oidc')
  await answerSilentRenewal(location.href)
}

async function start() {
  const texts = startI18n()
  const { app, start: startApp } = createAppState(document.documentElement.dataset.prefix ?? '')
  void startApp()
  await texts
  createRoot(document.getElementById('root')!).render(
    <AppProvider value={app}>
      <App />
    </AppProvider>,
  )
}
