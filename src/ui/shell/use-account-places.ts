import { useApp } from '../app-context'

/** Says which entries of the account the signed-in user has. */
export function useAccountPlaces() {
  const { session } = useApp()
  const { basicAuth, oidcConfigured } = session.config.value!
  return {
    maySettings: session.isAdmin.value || !(basicAuth && oidcConfigured),
    // Without accounts there is nobody to administer.
    mayAdminister: session.isAdmin.value && !session.isOpen.value,
    signsIn: basicAuth || oidcConfigured,
  }
}
