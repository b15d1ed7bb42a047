import { useTranslation } from 'react-i18next'

/** A count; `text` stands for it where it needs words. */
type Cell = { number: number; text?: string }
type Row = { kind: string; cells: readonly Cell[] }
type Props = {
  title: string
  /** Headings of the counts. */
  headings: readonly string[]
  rows: readonly Row[]
}

/** Kinds of things with counts of what became of them. */
export function CountTable({ title, headings, rows }: Props) {
  const { t } = useTranslation()
  return (
    <table className="move-counts">
      <caption className="visually-hidden">{title}</caption>
      <thead>
        <tr>
          {[t('move-what'), ...headings].map(heading => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ kind, cells }) => (
          <tr key={kind}>
            <th scope="row">{t([`move-kind.${kind}`, kind])}</th>
            {headings.map((heading, column) => (
              <Count key={heading} cell={cells[column]!} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Count = ({ cell: { number, text = number.toLocaleString() } }: { cell: Cell }) => (
  <td className={number === 0 ? 'muted' : ''}>{text}</td>
)
