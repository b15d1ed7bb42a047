import { useSignals } from '@preact/signals-react/runtime'
import { useApp } from '../../../app-context'
import { findServerAddress, type ServerAddress } from './server-address'

/** The address of the server for apps. The caller calls `useSignals()` first. */
export function useServerAddress(): ServerAddress {
  useSignals()
  const { prefix, session } = useApp()
  const { origin } = location
  return findServerAddress({ origin, prefix, serverUrl: session.config.value?.serverUrl ?? origin })
}
