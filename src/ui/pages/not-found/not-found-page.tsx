import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { PageHeader } from '../../components/page-header'
import { Empty } from '../../components/states'
import { routes } from '../../routes'

export function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <>
      <PageHeader title={t('page-not-found')} />
      <Empty
        action={
          <Link href={routes.home} role="button">
            {t('go-home')}
          </Link>
        }
      >
        {t('page-not-found-text')}
      </Empty>
    </>
  )
}
