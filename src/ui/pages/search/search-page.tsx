import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { PageHeader } from '../../components/page-header'
import { SearchPanel } from '../../library/search/search-panel'
import { SearchStart } from './search-start'
import './search.css'

/** Search as its own page. Its address holds the words, so that Back and a reload find them again. */
export function SearchPage() {
  const { t } = useTranslation()
  const [address, setAddress] = useSearchParams()
  const words = address.get('q') ?? ''
  const remember = useCallback(
    (next: string) => {
      if (next !== words) setAddress(next === '' ? {} : { q: next }, { replace: true })
    },
    [words, setAddress],
  )
  return (
    <>
      <PageHeader title={t('search')} />
      <div className="search-page">
        <SearchPanel words={words} start={<SearchStart />} onSearch={remember} />
      </div>
    </>
  )
}
