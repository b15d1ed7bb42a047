import { useEffect, useEffectEvent } from 'react'
import { useApp } from '../../app-context'

/** Shows a notice for a failed load where the page has no place for it, and then calls `onShown`. Null = no failure. */
export function useFailureNotice(error: unknown, onShown?: () => void) {
  const { failed } = useApp()
  const show = useEffectEvent(() => {
    failed(error)
    onShown?.()
  })
  useEffect(() => {
    if (error !== null) show()
  }, [error])
}
