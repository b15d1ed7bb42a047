import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'

const KEY = 'player.awake'
const canHold = 'wakeLock' in navigator

/**
 * Keeps the screen on while the open player plays, if the listener chose that; this browser remembers it. The browser
 * gives the lock up while the page is hidden.
 */
export function useAwake(isPlaying: boolean) {
  const { toasts } = useApp()
  const { t } = useTranslation()
  const [isOn, setOn] = useState(() => localStorage.getItem(KEY) !== null)
  function choose(isWanted: boolean) {
    setOn(isWanted)
    if (isWanted) localStorage.setItem(KEY, 'on')
    else localStorage.removeItem(KEY)
  }
  useEffect(() => {
    if (!isOn || !isPlaying) return
    return holdScreen(() => {
      choose(false)
      toasts.failed(t(canHold ? 'awake-refused' : 'awake-impossible'))
    })
    // Another language is no reason to ask again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isOn, isPlaying])
  return { isOn, toggle: () => choose(!isOn) }
}

/** Holds the screen's lock whenever the page is visible, until the returned function is called. */
function holdScreen(onRefused: () => void): () => void {
  let lock: WakeLockSentinel | null = null
  let isOver = false
  async function hold() {
    if (document.hidden) return
    try {
      const fresh = await navigator.wakeLock.request('screen')
      if (isOver) await fresh.release()
      else lock = fresh
    } catch {
      // Hidden in the meantime: it is requested again.
      if (!isOver && !document.hidden) onRefused()
    }
  }
  const again = () => void hold()
  document.addEventListener('visibilitychange', again)
  again()
  return () => {
    isOver = true
    document.removeEventListener('visibilitychange', again)
    void lock?.release()
  }
}
