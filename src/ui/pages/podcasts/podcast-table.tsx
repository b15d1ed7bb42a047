import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Podcast } from '../../../shared/api/podcast'
import type { Sort } from './arrange'
import { PodcastTableRow } from './podcast-table-row'
import './podcast-table.css'

type Props = {
  podcasts: readonly Podcast[]
  addressOf: (podcastId: string) => string
  sort: Sort
  onSort: (sort: Sort) => void
}

/** Pixels of a row until it is measured. */
const ROW_HEIGHT = 57

const columns = [
  { text: 'podcast', sort: 'title', direction: 'ascending' },
  { text: 'newest-episode', sort: 'newest', direction: 'descending' },
  { text: 'not-played', sort: 'unplayed', direction: 'descending' },
  { text: 'on-the-server' },
  { text: 'feed-check' },
] as const

/** A table of any length, of which only the rows on the screen are drawn. */
export function PodcastTable({ podcasts, addressOf, sort, onSort }: Props) {
  const { t } = useTranslation()
  const body = useRef<HTMLTableSectionElement>(null)
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => setOffset(body.current!.getBoundingClientRect().top + scrollY), [])
  const virtualizer = useWindowVirtualizer({
    count: podcasts.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 4,
    scrollMargin: offset,
  })
  const rows = virtualizer.getVirtualItems()
  const above = rows[0] ? rows[0].start - offset : 0
  const below = rows[0] ? virtualizer.getTotalSize() - (rows.at(-1)!.end - offset) : 0
  return (
    <div className="podcast-table-frame">
      <table className="podcast-table" aria-rowcount={podcasts.length + 1}>
        <thead>
          <tr>
            {columns.map(column =>
              'sort' in column ? (
                <th key={column.text} scope="col" aria-sort={column.sort === sort ? column.direction : undefined}>
                  <button type="button" onClick={() => onSort(column.sort)}>
                    {t(column.text)}
                  </button>
                </th>
              ) : (
                <th key={column.text} scope="col">
                  {t(column.text)}
                </th>
              ),
            )}
            <th scope="col">
              <span className="visually-hidden">{t('actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          <Room height={above} />
          {rows.map(({ index }) => (
            <PodcastTableRow
              key={podcasts[index]!.id}
              podcast={podcasts[index]!}
              to={addressOf(podcasts[index]!.id)}
              index={index}
              measure={virtualizer.measureElement}
            />
          ))}
          <Room height={below} />
        </tbody>
      </table>
    </div>
  )
}

/** The place of rows that are not drawn. */
const Room = ({ height }: { height: number }) =>
  height > 0 && (
    <tr aria-hidden="true">
      <td colSpan={2} style={{ height, padding: 0, border: 0 }}>
        {'\u00a0'}
      </td>
    </tr>
  )
