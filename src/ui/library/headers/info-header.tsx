import { useTranslation } from 'react-i18next'
import type { ReactNode } from 'react'
import { PageHeader } from '../../components/page-header'
import { Tabs } from '../../components/tabs'
import { routes } from '../../routes'

/** The title and tabs of the system info pages. */
export function InfoHeader({ current, children }: { current: string; children?: ReactNode }) {
  const { t } = useTranslation()
  return (
    <>
      <PageHeader title={t('system-info')}>{children}</PageHeader>
      <Tabs
        label={t('system-info')}
        current={current}
        tabs={[
          { to: routes.info, label: t('overview') },
          { to: routes.downloads, label: t('downloads') },
          { to: routes.device, label: t('on-this-device') },
          { to: routes.statistics, label: t('statistics') },
        ]}
      />
    </>
  )
}
