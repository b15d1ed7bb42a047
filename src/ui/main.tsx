import { createRoot } from 'react-dom/client'
import { App } from './app'
import { AppProvider, createAppState } from './app-state'
import { startI18n } from './i18n'

await startI18n()
const state = createAppState(document.documentElement.dataset.prefix ?? '')
void state.start()
createRoot(document.getElementById('root')!).render(
  <AppProvider value={state}>
    <App />
  </AppProvider>,
)
