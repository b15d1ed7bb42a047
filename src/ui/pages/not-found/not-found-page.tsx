import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { PageHeader } from '../../components/page-header'
import { Empty } from '../../components/states'
import { routes } from '../../routes'

const titles = { page: 'page-not-found', podcast: 'error.podcast-not-found', episode: 'error.episode-not-found' }

/** `podcastId`: where an episode that is not there would be. */
export function NotFoundPage({ what = 'page', podcastId }: { what?: keyof typeof titles; podcastId?: string }) {
  const { t } = useTranslation()
  return (
    <>
      <PageHeader title={t(titles[what])} />
      <Empty
        action={
          <Link href={podcastId ? routes.episodes(podcastId) : routes.home} role="button">
            {t(podcastId ? 'all-episodes' : 'go-home')}
          </Link>
        }
      >
        {t(what === 'page' ? 'page-not-found-text' : 'removed-or-incomplete')}
      </Empty>
    </>
  )
}
