import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useApp } from '../../app-context'
import { PodcastCover } from '../../library/covers/podcast-cover'
import { routes } from '../../routes'

const MAX_TILES = 12

/** The podcasts that came into the library last. */
export function RecentlyAdded() {
  useSignals()
  const { library } = useApp()
  const { t } = useTranslation()
  const latest = library.all.value
    .toSorted((one, other) => other.added_at.localeCompare(one.added_at))
    .slice(0, MAX_TILES)
  if (latest.length === 0) return null
  return (
    <section className="home-section">
      <div className="home-heading">
        <h2>{t('recently-added')}</h2>
      </div>
      <ul className="home-shelf">
        {latest.map(podcast => (
          <li key={podcast.id}>
            <Link href={routes.episodes(podcast.id)}>
              <PodcastCover podcast={podcast} size={256} />
              <span dir="auto">{podcast.name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
