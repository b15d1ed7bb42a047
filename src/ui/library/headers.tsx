import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../components/page-header'
import { routes } from '../routes'

/** The title and tabs of the home pages. A page may have its own `title`. */
export function HomeHeader({ title, children }: { title?: string; children?: ReactNode }) {
  const { t } = useTranslation()
  return (
    <PageHeader
      title={title ?? t('home')}
      segments={[
        { to: routes.home, label: t('homepage') },
        { to: routes.playlists, label: t('playlists') },
      ]}
    >
      {children}
    </PageHeader>
  )
}

/** The title of a page about the server as a whole, and the page that is next to it. */
export function InfoHeader({ title }: { title: string }) {
  const { t } = useTranslation()
  return (
    <PageHeader
      title={title}
      segments={[
        { to: routes.info, label: t('overview') },
        { to: routes.statistics, label: t('statistics') },
      ]}
    />
  )
}
