import { createRoot } from 'react-dom/client'
import { App } from './app'
import { AppProvider, createAppState } from './app-state'
import { startI18n } from './i18n'
import { answerSilentRenewal, isCallback } from './state/oidc'

// The provider answers a silent renewal to a page of ours in a frame of ours.
if (window !== window.parent && isCallback(location)) await answerSilentRenewal(location.href)
else await start()

async function start() {
  await startI18n()
  const state = createAppState(document.documentElement.dataset.prefix ?? '')
  void state.start()
  createRoot(document.getElementById('root')!).render(
    <AppProvider value={state}>
      <App />
    </AppProvider>,
  )
}
