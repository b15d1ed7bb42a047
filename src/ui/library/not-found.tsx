import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { Link } from 'wouter'
import { PageHeader } from '../components/page-header'
import { Empty } from '../components/states'
import { routes } from '../routes'

const titles = { page: 'page-not-found', podcast: 'error.podcast-not-found', episode: 'error.episode-not-found' }

type Props = {
  what?: keyof typeof titles
  /** The podcast that a missing episode would belong to. */
  podcastId?: string
  /** The podcast that is not there: removed by something that sends no events, such as the command line. */
  goneId?: string
}

/** Shown instead of a page that does not exist, with a way back. */
export function NotFound({ what = 'page', podcastId, goneId }: Props) {
  const { library } = useApp()
  const { t } = useTranslation()
  useEffect(() => {
    if (goneId) library.removed(goneId)
  }, [goneId, library])
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
