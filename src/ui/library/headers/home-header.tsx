import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/page-header'
import { Tabs } from '../../components/tabs'
import { routes } from '../../routes'

/** The title and tabs of the home pages. */
export function HomeHeader({ current, children }: { current: string; children?: ReactNode }) {
  const { t } = useTranslation()
  return (
    <>
      <PageHeader title={t('home')}>{children}</PageHeader>
      <Tabs
        label={t('home')}
        current={current}
        tabs={[
          { to: routes.home, label: t('homepage') },
          { to: routes.playlists, label: t('playlists') },
        ]}
      />
    </>
  )
}
