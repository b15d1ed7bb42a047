import { createContext, useContext } from 'react'
import type { AppState } from './app-state'

const AppContext = createContext<AppState | null>(null)
export const AppProvider = AppContext.Provider

/** The state of the application, for every part of the interface. Throws outside of its provider. */
export function useApp(): AppState {
  const app = useContext(AppContext)
  if (!app) throw new Error('useApp needs an AppProvider around it')
  return app
}
