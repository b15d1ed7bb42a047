import { useSignals } from '@preact/signals-react/runtime'
import { History } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Search } from '../../state/search'

/** The last searches, while the field is empty; a hint where there are none. */
export function RecentSearches({ search }: { search: Search }) {
  useSignals()
  const { t } = useTranslation()
  const recent = search.recent.value
  if (search.words.value.trim() !== '') return null
  if (recent.length === 0) return <p className="search-note">{t('search-hint')}</p>
  return (
    <ul className="search-recent" aria-label={t('recent-searches')}>
      {recent.map(words => (
        <li key={words}>
          <button type="button" onClick={() => search.type(words)}>
            <History size={18} strokeWidth={1.75} aria-hidden="true" />
            {words}
          </button>
        </li>
      ))}
    </ul>
  )
}
