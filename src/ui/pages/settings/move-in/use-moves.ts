import { effect } from '@preact/signals-core'
import { useEffect } from 'react'
import { useApp, type AppState } from '../../../app-context'
import { createAdministrationApi } from '../../../api/administration'
import { createMoves, type Moves } from '../../../state/moves'

/** Shortest time between two requests, while a move reports every step. */
const PAUSE_MS = 800

const known = new WeakMap<AppState, Moves>()

/** Moves of this user, kept while other pages are open, so that an upload continues. */
export function useMoves(): Moves {
  const app = useApp()
  const moves = known.get(app) ?? createMoves(createAdministrationApi(app.client).moves)
  known.set(app, moves)
  return moves
}

/** Calls `reload` when the page opens, and again after news from the server, though not all the time. */
export function useMoveNews(reload: () => Promise<unknown>) {
  const { moving, isConnected } = useApp()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null
    let isWaiting = false
    const run = () => {
      if (timer) {
        isWaiting = true
        return
      }
      void reload().catch(() => undefined)
      timer = setTimeout(() => {
        timer = null
        if (isWaiting) run()
        isWaiting = false
      }, PAUSE_MS)
    }
    const stop = effect(() => {
      void moving.news.value
      if (isConnected.value) run()
    })
    return () => {
      stop()
      if (timer) clearTimeout(timer)
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [moving, isConnected])
}
