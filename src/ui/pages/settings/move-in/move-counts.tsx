import { useTranslation } from 'react-i18next'
import type { MoveCount } from '../../../../shared/api/move'
import { CountTable } from './count-table'

type Props = {
  title: string
  counts: readonly MoveCount[]
  /** Whether all this is yet to come. */
  isAhead?: boolean
}

/** Counts of what was imported, was here already, or was left out, with reasons. */
export function MoveCounts({ title, counts, isAhead = false }: Props) {
  const { t } = useTranslation()
  // Only the feeds know which episodes they have dropped, and a rehearsal requests none.
  const coming = ({ kind, taken }: MoveCount) =>
    isAhead && kind === 'episodes' && taken > 0
      ? { number: taken, text: t('move-at-most', { number: taken.toLocaleString() }) }
      : { number: taken }
  return (
    <>
      <CountTable
        title={title}
        headings={[t(isAhead ? 'move-comes' : 'move-came'), t('move-present'), t('move-left-out')]}
        rows={counts.map(count => ({
          kind: count.kind,
          cells: [coming(count), { number: count.present }, { number: count.leftOut }],
        }))}
      />
      <Reasons counts={counts} />
    </>
  )
}

function Reasons({ counts }: Pick<Props, 'counts'>) {
  const { t } = useTranslation()
  const reasons = counts.flatMap(({ kind, reasons }) => reasons.map(reason => ({ kind, ...reason })))
  if (reasons.length === 0) return null
  return (
    <details className="move-reasons">
      <summary>{t('move-reasons')}</summary>
      <ul className="prose">
        {reasons.map(({ kind, reason, total }) => (
          <li key={`${kind} ${reason}`}>
            {t([`move-kind.${kind}`, kind])}:{' '}
            {t([`move-reason.${reason}`, `feed-error.${reason}`, `error.${reason}`], { defaultValue: reason })} (
            {total.toLocaleString()})
          </li>
        ))}
      </ul>
    </details>
  )
}
