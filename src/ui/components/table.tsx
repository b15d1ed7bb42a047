import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import './tables.css'

export type Column<T> = { title: string; render: (item: T) => ReactNode; className?: string }

type Props<T> = {
  title: string
  items: readonly T[]
  keyOf: (item: T) => string | number
  /** The first column names the row. */
  columns: readonly [Column<T>, ...Column<T>[]]
  /** Buttons at the end of a row. */
  renderActions?: (item: T) => ReactNode
  classOf?: (item: T) => string
}

/** A table with one item per row; on a phone each row is a card. */
export function Table<T>({ title, items, keyOf, columns, renderActions, classOf }: Props<T>) {
  const { t } = useTranslation()
  const [first, ...others] = columns
  return (
    <table className="table">
      <caption className="visually-hidden">{title}</caption>
      <thead>
        <tr>
          {columns.map(column => (
            <th className="muted regular" key={column.title} scope="col">
              {column.title}
            </th>
          ))}
          {renderActions && (
            <th scope="col">
              <span className="visually-hidden">{t('actions')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {items.map(item => (
          <tr key={keyOf(item)} className={classOf?.(item)}>
            <th className="ink strong breaks" scope="row">
              {first.render(item)}
            </th>
            {others.map(column => (
              <td key={column.title} data-label={column.title} className={column.className}>
                {column.render(item)}
              </td>
            ))}
            {renderActions && <td className="table-actions nowrap">{renderActions(item)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export type Bar = { label: string; value: number; text: string }

/** A bar chart, with each number in words. Screen readers read it as a table. */
export function BarChart({ title, bars }: { title: string; bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <table className="bars flush">
      <caption className="visually-hidden">{title}</caption>
      <tbody>
        {bars.map(({ label, value, text }) => (
          <tr key={label}>
            <th className="truncate" scope="row">
              {label}
            </th>
            <td aria-hidden="true">
              <span className="bar block" style={{ '--share': `${(100 * value) / most}%` } as React.CSSProperties} />
            </td>
            <td className="numbers faint nowrap">{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
