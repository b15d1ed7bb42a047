import { useEffect } from 'react'
import { useApp } from '../../app-context'

const SETTLED_MS = 1000

/**
 * Loads a list again when an episode has changed, since it may match the rules now, or no longer. Null = does nothing.
 */
export function useFollowingRules(reload: (() => Promise<void>) | null) {
  const { changes } = useApp()
  useEffect(() => {
    if (!reload) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const soon = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void reload(), SETTLED_MS)
    }
    const end = changes.listen({ edit: soon, stale: () => {} })
    return () => {
      end()
      clearTimeout(timer)
    }
  }, [changes, reload])
}
