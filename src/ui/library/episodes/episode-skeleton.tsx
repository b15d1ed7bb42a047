import { useTranslation } from 'react-i18next'

/** Grey shapes of the same geometry as the rows that are loading. */
export function EpisodeSkeleton({ count, showCover }: { count: number; showCover: boolean }) {
  const { t } = useTranslation()
  return (
    <div
      className={`skeleton episode-skeletons ${showCover ? '' : 'has-no-cover'}`}
      role="status"
      aria-busy="true"
      aria-label={t('loading')}
    >
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="episode-skeleton">
          <span />
          <span />
          <span />
        </div>
      ))}
    </div>
  )
}
