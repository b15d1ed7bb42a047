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
            <th key={column.title} scope="col">
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
            <th scope="row">{first.render(item)}</th>
            {others.map(column => (
              <td key={column.title} data-label={column.title} className={column.className}>
                {column.render(item)}
              </td>
            ))}
            {renderActions && <td className="table-actions">{renderActions(item)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
