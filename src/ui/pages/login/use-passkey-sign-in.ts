import { useEffect, useRef, useState } from 'react'
import { passkeysApi } from '../../api/sign-in'
import { useApp } from '../../app-context'
import { askForPasskey, mayOfferPasskeys, offerPasskeys, stopOffering } from '../../device/passkeys'
import { useEntering } from './use-entering'

/** A challenge expires after ten minutes. */
const RENEWED_EVERY_MS = 8 * 60_000

/**
 * Signs in by a passkey when `ask` is called, and lets the browser suggest passkeys until then. A browser does one of
 * both at a time.
 */
export function usePasskeySignIn(isRemembered: () => boolean) {
  const { client, session } = useApp()
  const enter = useEntering()
  const [api] = useState(() => passkeysApi(client))
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [isAsking, setAsking] = useState(false)

  async function signIn(response: Awaited<ReturnType<typeof askForPasskey>>) {
    if (!response) return
    setBusy(true)
    setFailure(null)
    try {
      const me = await api.signIn({ response, remember: isRemembered() })
      await enter(session.signedInAs(me))
    } catch (error) {
      setFailure(error)
    }
    setBusy(false)
  }
  const latest = useRef(signIn)
  useEffect(() => {
    latest.current = signIn
  })

  useEffect(() => {
    if (isAsking) return
    let isOver = false
    const timer = setInterval(() => void stopOffering(), RENEWED_EVERY_MS)
    async function offer() {
      if (!(await mayOfferPasskeys())) return
      while (!isOver) await latest.current(await offerPasskeys(await api.request()))
    }
    // Nobody has asked for it: without it there are the button and the form.
    void offer().catch(() => undefined)
    return () => {
      // Asking ends what is offered.
      isOver = true
      clearInterval(timer)
    }
  }, [api, isAsking])
  useEffect(() => () => void stopOffering(), [])

  async function ask() {
    setAsking(true)
    setFailure(null)
    try {
      await signIn(await askForPasskey(await api.request()))
    } catch (error) {
      setFailure(error)
    }
    setAsking(false)
  }
  return { isBusy: isBusy || isAsking, failure, ask: () => void ask() }
}
