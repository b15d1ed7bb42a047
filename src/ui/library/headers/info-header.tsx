import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/page-header'
import { routes } from '../../routes'

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
