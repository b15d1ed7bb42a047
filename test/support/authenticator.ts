import { codeAt } from '../../src/server/accounts/second-factor'
import type { Page } from 'playwright-core'

/** A device that holds passkeys for a page, and can tell whether its owner holds it. It presses its own button. */
export async function addAuthenticator(page: Page) {
  const browser = await page.context().newCDPSession(page)
  await browser.send('WebAuthn.enable')
  const { authenticatorId } = await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
    },
  })
  return {
    /** Whether somebody stands before it, and answers what it asks. */
    answer: (enabled: boolean) => browser.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    /** Whether it is its owner. */
    recogniseOwner: (isUserVerified: boolean) =>
      browser.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    credentials: async () => (await browser.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  }
}

/** Reads the secret that a person types into an authenticator app. */
export function readSecret(text: string): Uint8Array {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...text.replace(/\s/g, '')].map(letter => letters.indexOf(letter).toString(2).padStart(5, '0'))
  return Uint8Array.from(bits.join('').match(/.{8}/g)!, byte => Number.parseInt(byte, 2))
}

/** The code that an authenticator app shows at a time in milliseconds, or `steps` later. */
export const codeOf = (secret: string, at: number, steps = 0) =>
  codeAt(readSecret(secret), Math.floor(at / 30_000) + steps)
