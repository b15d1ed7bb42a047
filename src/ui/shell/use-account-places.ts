import { useSignals } from '@preact/signals-react/runtime'
import { useApp } from '../app-context'

/** Says which entries of the account the signed-in user has. */
export function useAccountPlaces() {
  useSignals()
  const { session } = useApp()
  const { basicAuth, oidcConfigured } = session.config.value!
  const signsIn = basicAuth || oidcConfigured
  return {
    maySettings: session.isAdmin.value || !(basicAuth && oidcConfigured),
    // The page says to everybody else that they are no admins. Without accounts there is nobody to administer.
    mayAdminister: signsIn || (session.isAdmin.value && !session.isOpen.value),
    signsIn,
  }
}
