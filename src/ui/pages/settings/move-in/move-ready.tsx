import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import type { Move } from '../../../../shared/api/move'
import { useApp } from '../../../app-context'
import { BusyButton } from '../../../components/busy-button'
import { Notice } from '../../../components/notice'
import { useAction } from '../../../components/use-action'
import { DropButton } from './drop-button'
import { MoveCounts } from './move-counts'
import { MoveOptionsForm } from './move-options'
import { useMoves } from './use-moves'

/** What would come, before anything is changed. */
export function MoveReady({ move: { id, source, file, counts }, move }: { move: Move }) {
  useSignals()
  const { failed, session } = useApp()
  const { t } = useTranslation()
  const moves = useMoves()
  const beginning = useAction(() => moves.begin(id), failed)
  const title = t('move-ready', { source: source ?? file })
  const hasNews = counts.some(({ taken }) => taken > 0)
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {hasNews ? <p className="muted">{t('move-ready-text')}</p> : <Notice title={t('move-nothing')} />}
      <MoveCounts title={title} counts={counts} isAhead />
      {session.isAdmin.value && <MoveOptionsForm key={JSON.stringify(move.options)} move={move} />}
      <div className="move-actions">
        {hasNews && (
          <BusyButton isBusy={beginning.isBusy} onClick={() => beginning.run()}>
            {t('move-begin')}
          </BusyButton>
        )}
        <DropButton move={move} />
      </div>
    </section>
  )
}
