import { useTranslation } from 'react-i18next'
import type { ReactNode } from 'react'
import './table.css'

/** Table with one thing per row and its actions in the last column. `children`: the rows. */
export function Table({
  title,
  columns,
  children,
}: {
  title: string
  columns: readonly string[]
  children: ReactNode
}) {
  const { t } = useTranslation()
  return (
    <table className="table">
      <caption className="visually-hidden">{title}</caption>
      <thead>
        <tr>
          {columns.map(column => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
          <th scope="col">
            <span className="visually-hidden">{t('actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}
