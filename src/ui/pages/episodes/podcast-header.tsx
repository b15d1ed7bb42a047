import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import type { Podcast, PodcastExtras } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { lazily } from '../../components/lazily'
import { useTitle } from '../../components/page-header'
import { RefreshButton } from '../../components/refresh-button'
import { FavouriteButton } from '../../library/podcasts/favourite-button'
import { PodcastCover } from '../../library/covers/podcast-cover'
import { FeedState, PodcastTags, Summary } from './podcast-facts'

const PodcastMenu = lazily(async () => (await import('./podcast-menu')).PodcastMenu)

/** A podcast's cover, facts and actions. `extras` null = not loaded yet. The menu comes after the first load. */
export function PodcastHeader({ podcast, extras }: { podcast: Podcast; extras: PodcastExtras | null }) {
  useSignals()
  const { library, session, failed } = useApp()
  const { t } = useTranslation()
  useTitle(podcast.name)
  return (
    <header className="podcast-header">
      <PodcastCover podcast={podcast} size={256} eager />
      <div className="podcast-about">
        <h1>{podcast.name}</h1>
        {podcast.author && <p className="podcast-author">{podcast.author}</p>}
        <Summary html={podcast.summary ?? ''} />
        <PodcastTags tags={podcast.tags} />
        <FeedState podcast={podcast} />
        <div className="podcast-actions">
          {session.mayUpload.value && (
            <RefreshButton
              label={t('refresh')}
              busyLabel={t('refreshing')}
              isBusy={library.refreshing.value.has(podcast.id)}
              onClick={() => void library.refresh(podcast.id).catch(failed)}
            />
          )}
          <FavouriteButton podcast={podcast} className="podcast-favourite" />
          <PodcastMenu podcast={podcast} extras={extras} />
        </div>
      </div>
    </header>
  )
}
