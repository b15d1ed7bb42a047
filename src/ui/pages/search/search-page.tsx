import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/page-header'
import { SearchPanel } from '../../library/search/search-panel'

/** Search as a page of its own, for phones. */
export function SearchPage() {
  const { t } = useTranslation()
  return (
    <>
      <PageHeader title={t('search')} />
      <SearchPanel />
    </>
  )
}
