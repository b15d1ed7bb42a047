import { LayoutGrid, Table2 } from 'lucide-react'
import { type CSSProperties, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Stats } from '../../../shared/api/system'
import { withSize } from '../../api/client'
import { saveFile } from '../../device/share'
import { formatCount } from '../../format'
import { formatSpan } from '../../format-facts'
import { routes } from '../../routes'

type Row = Stats['topPodcasts'][number]

const MAX_TILES = 7
const RATIO = 12 / 7

/** The podcasts of a period, by the time that they took: as covers, or as a table. `name`: of the period. */
export function MostTime({ stats, name }: { stats: Stats; name: string }) {
  const { t } = useTranslation()
  const [isTable, setTable] = useState(false)
  const rows = stats.topPodcasts
  const Icon = isTable ? LayoutGrid : Table2
  return (
    <section className="card padded" aria-labelledby="most-time">
      <h2 id="most-time">{t('most-time-with')}</h2>
      {isTable ? <PodcastTable rows={rows} /> : <Treemap rows={rows} />}
      <div className="row gap-8 above-8">
        <button type="button" className="quiet small with-icon" onClick={() => setTable(!isTable)}>
          <Icon size={16} aria-hidden="true" />
          {t(isTable ? 'show-as-covers' : 'show-as-table')}
        </button>
        {isTable && (
          <button
            type="button"
            className="quiet small"
            onClick={() => saveFile(`${[t('statistics'), name].filter(Boolean).join(' ')}.csv`, csvOf(rows))}
          >
            {t('save-as-csv')}
          </button>
        )}
      </div>
    </section>
  )
}

function Treemap({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation()
  const shown = rows.slice(0, MAX_TILES)
  const others = rows.slice(shown.length)
  const rest = others.reduce((sum, { listenedSeconds }) => sum + listenedSeconds, 0)
  const most = Math.max(...shown.map(({ listenedSeconds }) => listenedSeconds))
  // A tile keeps enough room for its words.
  const tiles = treemap(
    shown.map(({ listenedSeconds }) => Math.max(listenedSeconds, most / 12)),
    RATIO,
  )
  return (
    <>
      <ul className="treemap relative">
        {shown.map((row, at) => (
          <li className="absolute" key={row.podcastId} style={placeOf(tiles[at]!)}>
            <Link
              className="treemap-tile rounded block relative clipped undecorated"
              href={routes.episodes(row.podcastId)}
            >
              <img src={withSize(row.imageUrl, 512)} alt="" loading="lazy" decoding="async" />
              <TileWords name={row.podcastName} seconds={row.listenedSeconds} />
            </Link>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <p className="muted numbers flush above-8">
          {t('others-count', { count: others.length })} · {formatSpan(rest)}
        </p>
      )}
    </>
  )
}

const placeOf = ({ x, y, width, height }: Rectangle): CSSProperties => ({
  insetInlineStart: `${x}%`,
  top: `${y}%`,
  width: `${width}%`,
  height: `${height}%`,
})

const TileWords = ({ name, seconds }: { name: string; seconds: number }) => (
  <span className="treemap-words absolute text-xs">
    <b className="truncate block" dir="auto">
      {name}
    </b>
    <span className="block numbers truncate">{formatSpan(seconds)}</span>
  </span>
)

const columns = ['podcast', 'episodes', 'time', 'share'] as const
type Column = (typeof columns)[number]

const valueOf: Record<Column, (row: Row) => number | string> = {
  podcast: row => row.podcastName,
  episodes: row => row.listenedEpisodes,
  time: row => row.listenedSeconds,
  share: row => row.listenedSeconds,
}

function PodcastTable({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation()
  const [sort, setSort] = useState<Column>('time')
  const whole = rows.reduce((sum, { listenedSeconds }) => sum + listenedSeconds, 0)
  const sorted = rows.toSorted((one, other) => {
    const [a, b] = [valueOf[sort](one), valueOf[sort](other)]
    return typeof a === 'string' ? a.localeCompare(String(b)) : Number(b) - a
  })
  return (
    <table className="listening-table flush">
      <caption className="visually-hidden">{t('most-time-with')}</caption>
      <thead>
        <tr>
          {columns.map(column => (
            <th
              key={column}
              scope="col"
              aria-sort={column === sort ? (column === 'podcast' ? 'ascending' : 'descending') : undefined}
            >
              <button type="button" className="plain muted" onClick={() => setSort(column)}>
                {column === 'podcast' ? t('podcast') : t(`listening-column.${column}`)}
              </button>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sorted.map(({ podcastId, podcastName, listenedEpisodes, listenedSeconds }) => (
          <tr key={podcastId}>
            <th scope="row">
              <Link className="link ink" href={routes.episodes(podcastId)} dir="auto">
                {podcastName}
              </Link>
            </th>
            <td className="numbers">{formatCount(listenedEpisodes)}</td>
            <td className="numbers nowrap">{formatSpan(listenedSeconds)}</td>
            <td className="numbers">{Math.round((100 * listenedSeconds) / whole)} %</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The table as CSV (RFC 4180), for a spreadsheet. A text that a spreadsheet would run as a formula is quoted. */
export function csvOf(rows: readonly Row[]): Blob {
  const cell = (text: string) => `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`
  const lines = rows.map(row => [cell(row.podcastName), row.listenedEpisodes, row.listenedSeconds].join(','))
  return new Blob([['podcast,episodes,seconds', ...lines, ''].join('\r\n')], { type: 'text/csv' })
}

/** A rectangle in percent of the whole. */
type Rectangle = { x: number; y: number; width: number; height: number }

/**
 * Divides a box into rectangles whose areas are in the ratio of the values, as square as possible (Bruls, Huizing, van
 * Wijk: Squarified Treemaps, 2000), which they are if the largest values come first. `ratio`: width of the box to its
 * height.
 */
export function treemap(values: readonly number[], ratio: number): Rectangle[] {
  const whole = values.reduce((sum, value) => sum + value, 0)
  if (whole <= 0) return []
  const areas = values.map(value => (value / whole) * ratio)
  const tiles: Rectangle[] = []
  const box = { x: 0, y: 0, width: ratio, height: 1 }
  for (let at = 0; at < areas.length;) {
    const side = Math.min(box.width, box.height)
    let count = 1
    while (
      at + count < areas.length &&
      worst(areas.slice(at, at + count + 1), side) <= worst(areas.slice(at, at + count), side)
    )
      count++
    tiles.push(...layOut(areas.slice(at, at + count), box))
    at += count
  }
  return tiles.map(({ x, y, width, height }) => ({
    x: (100 * x) / ratio,
    y: 100 * y,
    width: (100 * width) / ratio,
    height: 100 * height,
  }))
}

/** The ratio of the sides of the least square rectangle of a row. */
function worst(row: readonly number[], side: number): number {
  const depth = row.reduce((sum, area) => sum + area, 0) / side
  return Math.max(...row.map(area => Math.max(depth / (area / depth), area / depth / depth)))
}

/** Lays a row along the shorter side of the box, which shrinks by it. */
function layOut(row: readonly number[], box: Rectangle): Rectangle[] {
  const sum = row.reduce((total, area) => total + area, 0)
  const isUpright = box.width >= box.height
  const depth = sum / (isUpright ? box.height : box.width)
  let along = isUpright ? box.y : box.x
  const tiles = row.map(area => {
    const length = area / depth
    const tile = isUpright
      ? { x: box.x, y: along, width: depth, height: length }
      : { x: along, y: box.y, width: length, height: depth }
    along += length
    return tile
  })
  if (isUpright) Object.assign(box, { x: box.x + depth, width: box.width - depth })
  else Object.assign(box, { y: box.y + depth, height: box.height - depth })
  return tiles
}
