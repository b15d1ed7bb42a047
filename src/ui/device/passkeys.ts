import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/browser'

/** Loaded when somebody may use a passkey. */
const library = () => import('@simplewebauthn/browser')

type Options = Record<string, unknown>

/** Whether this browser has passkeys for this page: it needs https, or the machine itself. */
export const hasPasskeys = () => isSecureContext && 'PublicKeyCredential' in window

/** Whether the address of this page is an IP address: browsers keep passkeys only for names. */
export const isNumericHost = () => /^[\d.]+$|:/.test(location.hostname.replace(/^\[|\]$/g, ''))

/** Makes a passkey; null if the person cancels. Throws if the device already has one. */
export async function createPasskey(options: Options): Promise<RegistrationResponseJSON | null> {
  const { startRegistration } = await library()
  return startRegistration({ optionsJSON: options as never }).catch(orNull)
}

/** Asks for a passkey; null if the person cancels. */
export async function askForPasskey(options: Options): Promise<AuthenticationResponseJSON | null> {
  const { startAuthentication } = await library()
  return startAuthentication({ optionsJSON: options as never }).catch(orNull)
}

/** Whether the browser suggests passkeys in a field for a name. */
export const mayOfferPasskeys = async () => (await library()).browserSupportsWebAuthnAutofill()

/** Lets the browser suggest passkeys in the field for the name; null once `stopOffering` is called. */
export async function offerPasskeys(options: Options): Promise<AuthenticationResponseJSON | null> {
  const { startAuthentication } = await library()
  return startAuthentication({ optionsJSON: options as never, useBrowserAutofill: true }).catch(error => {
    if ((error as Error).name === 'AbortError') return null
    throw error
  })
}

/** Cancels what is in progress: it returns null. */
export const stopOffering = async () => (await library()).WebAuthnAbortService.cancelCeremony()

/** Browsers do not say whether a person declined or took too long. */
function orNull(error: unknown): null {
  const { name } = error as Error
  if (name === 'NotAllowedError' || name === 'AbortError') return null
  throw error
}
