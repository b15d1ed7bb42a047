import { effect } from '@preact/signals-core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Move } from '../../../../shared/api/move'
import { createAdministrationApi } from '../../../api/administration'
import { type AppState, useApp } from '../../../app-context'
import { BusyButton } from '../../../components/buttons'
import { useAction } from '../../../components/use-action'
import { FormDialog } from '../../../library/forms/form-dialog'
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

/** Gives up a move that has not begun. */
export function DropButton({ move }: { move: Move }) {
  const { failed } = useApp()
  const { t } = useTranslation()
  const moves = useMoves()
  const dropping = useAction(() => moves.drop(move.id), failed)
  return (
    <BusyButton className="secondary" isBusy={dropping.isBusy} onClick={() => dropping.run()}>
      {t('cancel')}
    </BusyButton>
  )
}

/** Takes a move back as a whole, after a question. */
export function UndoButton({ move: { id, source, file }, label }: { move: Move; label: string }) {
  const { t } = useTranslation()
  const moves = useMoves()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <button type="button" className="secondary" onClick={() => setAsking(true)}>
        {label}
      </button>
      {isAsking && (
        <FormDialog
          isDanger
          title={t('move-undo-title')}
          action={t('move-undo')}
          onSubmit={() => moves.undo(id)}
          onClose={() => setAsking(false)}
        >
          <p>{t('move-undo-text', { source: source ?? file })}</p>
        </FormDialog>
      )}
    </>
  )
}

const steps = ['choose', 'look', 'import'] as const

/** The three steps of an import, the current one marked. */
export function MoveSteps({ current }: { current: (typeof steps)[number] }) {
  const { t } = useTranslation()
  return (
    <ol className="move-steps wrap row gap-12 text-s strong faint spaced">
      {steps.map((step, index) => (
        <li key={step} className="row gap-8" aria-current={step === current ? 'step' : undefined}>
          <span className="disc numbers" aria-hidden="true">
            {index + 1}
          </span>
          {t(`move-step.${step}`)}
        </li>
      ))}
    </ol>
  )
}
