import { useTranslation } from 'react-i18next'
import type { MoveCount } from '../../../../shared/api/move'
import { formatCount } from '../../../format'

type Props = {
  title: string
  counts: readonly MoveCount[]
  /** Whether all of this is still to happen. */
  isAhead?: boolean
}

/** Counts of what was imported, was here already, or was left out, with reasons. */
export function MoveCounts({ title, counts, isAhead = false }: Props) {
  const { t } = useTranslation()
  // Only the feeds know which episodes they have dropped, and a rehearsal requests none.
  const coming = ({ kind, taken }: MoveCount) =>
    isAhead && kind === 'episodes' && taken > 0
      ? { number: taken, text: t('move-at-most', { total: taken }) }
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
      <ul className="prose shrinks breaks">
        {reasons.map(({ kind, reason, total }) => (
          <li key={`${kind} ${reason}`}>
            {t([`move-kind.${kind}`, kind])}:{' '}
            {t([`move-reason.${reason}`, `feed-error.${reason}`, `error.${reason}`], { defaultValue: reason })} (
            {formatCount(total)})
          </li>
        ))}
      </ul>
    </details>
  )
}

/** A count; `text` replaces it if it needs words. */
type Cell = { number: number; text?: string }
type Row = { kind: string; cells: readonly Cell[] }
type CountTableProps = {
  title: string
  /** Headings of the counts. */
  headings: readonly string[]
  rows: readonly Row[]
}

/** Kinds of things with counts of their outcomes. */
export function CountTable({ title, headings, rows }: CountTableProps) {
  const { t } = useTranslation()
  return (
    <table className="move-counts flush">
      <caption className="visually-hidden">{title}</caption>
      <thead>
        <tr>
          {[t('move-what'), ...headings].map(heading => (
            <th className="muted regular" key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ kind, cells }) => (
          <tr key={kind}>
            <th className="ink strong" scope="row">
              {t([`move-kind.${kind}`, kind])}
            </th>
            {headings.map((heading, column) => (
              <Count key={heading} cell={cells[column]!} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Count = ({ cell: { number, text = formatCount(number) } }: { cell: Cell }) => (
  <td className={number === 0 ? 'muted' : ''}>{text}</td>
)
