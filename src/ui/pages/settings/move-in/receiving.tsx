import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import type { Move } from '../../../../shared/api/move'
import { Notice } from '../../../components/notice'
import { useAction } from '../../../components/use-action'
import { describeFailure } from '../../../failure'
import { formatBytes } from '../../../format'
import { DropButton } from './drop-button'
import { useMoves } from './use-moves'

/** An upload: how far it is, and what to do where it was interrupted. */
export function Receiving({ move }: { move: Move }) {
  useSignals()
  const { t } = useTranslation()
  const moves = useMoves()
  const resuming = useAction(moves.resume)
  const upload = moves.upload.value?.id === move.id ? moves.upload.value : null
  const hasFailed = upload !== null && upload.failure !== null
  const total = move.bytes ?? 0
  return (
    <section aria-label={t('move-receiving', { file: move.file })}>
      <h2>{t('move-receiving', { file: move.file })}</h2>
      <progress value={move.received} max={total} aria-label={t('move-receiving', { file: move.file })} />
      <p className="numbers" role="status">
        {t('move-received', { received: formatBytes(move.received), total: formatBytes(total) })}
      </p>
      {!upload && <Notice title={t('move-interrupted')}>{t('move-choose-again', { file: move.file })}</Notice>}
      {hasFailed && (
        <Notice title={t('move-interrupted')} isFailure>
          {describeFailure(upload.failure)}
        </Notice>
      )}
      <div className="move-actions wrap gap-8">
        {hasFailed && (
          <button type="button" disabled={resuming.isBusy} onClick={() => resuming.run()}>
            {t('move-resume')}
          </button>
        )}
        <DropButton move={move} />
      </div>
    </section>
  )
}
