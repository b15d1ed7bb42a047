import { useTranslation } from 'react-i18next'
import type { Move } from '../../../../shared/api/move'
import { formatMoment } from '../../../format'
import { MoveCounts } from './move-counts'
import { MovePodcasts } from './move-podcasts'

/** Reports of moves before the latest one. */
export function EarlierMoves({ moves }: { moves: readonly Move[] }) {
  const { t } = useTranslation()
  return (
    <section>
      <h2>{t('move-earlier')}</h2>
      {moves.map(({ id, source, file, counts, startedAt, message }) => (
        <details key={id} className="setting-card move-card">
          <summary>
            {source ?? file} · {formatMoment(startedAt)}
          </summary>
          {message && <p lang="en">{message}</p>}
          {counts.length > 0 && <MoveCounts title={source ?? file} counts={counts} />}
          <MovePodcasts id={id} isOpen={false} />
        </details>
      ))}
    </section>
  )
}
