import { useTranslation } from 'react-i18next'
import type { FeedPreview } from '../../../shared/api/podcast-preview'
import { FilterChip } from '../../components/filter-chip'
import { formatBytes } from '../../format'
import './adding.css'

/** Number of newest episodes to download; null means all. */
export type FirstDownloads = number | null

/** The number that is downloaded unless somebody chooses another. */
export const usualDownloads = ({ downloads, episodes, hasMorePages }: FeedPreview): FirstDownloads | undefined =>
  downloads && downloads.usual > 0 && downloads.usual >= episodes && !hasMorePages ? null : downloads?.usual

/** Chooses how many episodes the server downloads at once when a podcast is added. */
export function DownloadChoice({
  seen,
  chosen,
  onChoose,
}: {
  seen: FeedPreview
  chosen: FirstDownloads
  onChoose: (first: FirstDownloads) => void
}) {
  const { t } = useTranslation()
  const { episodes, hasMorePages, downloads, sizes } = seen
  if (!downloads || episodes === 0) return null
  const counts = [...new Set([5, 25, downloads.usual])].sort((one, other) => one - other)
  const fitting = counts.filter(count => count > 0 && (count < episodes || hasMorePages))
  const sizeOf = (count: FirstDownloads) =>
    count === null
      ? hasMorePages
        ? null
        : sizes.all
      : count === 5
        ? sizes.newest5
        : count === 25
          ? sizes.newest25
          : null
  const labelOf = (count: FirstDownloads) =>
    count === 0
      ? t('download-nothing')
      : count !== null
        ? t('download-newest', { count })
        : hasMorePages
          ? t('download-all-of-it')
          : t('download-all-count', { count: episodes })
  const { freeBytes, follows } = downloads
  return (
    <fieldset className="download-choice">
      <legend>{t('download-to-server')}</legend>
      <div className="wrap gap-8">
        {[0, ...fitting, null].map(count => {
          const bytes = sizeOf(count)
          return (
            <FilterChip
              key={count}
              label={
                <>
                  {labelOf(count)} {bytes !== null && <span className="numbers">· {formatBytes(bytes)}</span>}
                </>
              }
              isOn={chosen === count}
              onToggle={() => onChoose(count)}
            />
          )
        })}
      </div>
      <p className="muted numbers">
        {t(follows ? 'new-ones-follow' : 'new-ones-do-not-follow')}{' '}
        {freeBytes !== null && t('free-on-server', { size: formatBytes(freeBytes) })}
      </p>
    </fieldset>
  )
}
