import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { FilterChip } from '../../components/filter-chip'
import { PageHeader } from '../../components/page-header'
import { Empty } from '../../components/states'
import { EpisodeList } from '../../library/episodes/episode-list'
import { useTimeline } from '../../library/episodes/use-timeline'
import { EmptyLibrary } from '../../library/podcasts/empty-library'

const PAGE_SIZE = 50

/** The newest episodes of all podcasts. The filters are in the address. */
export function TimelinePage() {
  const { t } = useTranslation()
  const [favoredOnly, setFavoredOnly] = useFilter('favorites')
  const [notListened, setNotListened] = useFilter('unplayed')
  const { list, nameOf } = useTimeline({ favoredOnly, notListened, limit: PAGE_SIZE })
  const isFiltered = favoredOnly || notListened
  return (
    <>
      <PageHeader title={t('timeline')}>
        <FilterChip label={t('favorites-only')} isOn={favoredOnly} onToggle={setFavoredOnly} />
        <FilterChip label={t('not-played-yet')} isOn={notListened} onToggle={setNotListened} />
      </PageHeader>
      <h2 className="visually-hidden">{t('episodes')}</h2>
      <EpisodeList
        list={list}
        podcastNameOf={nameOf}
        showPodcast
        empty={isFiltered ? <Empty>{t('timeline-empty-filtered')}</Empty> : <EmptyLibrary text={t('timeline-empty')} />}
      />
    </>
  )
}

/** A filter that is on while the address has a parameter of its name. */
function useFilter(name: string) {
  const [search, setSearch] = useSearchParams()
  function set(isOn: boolean) {
    setSearch(
      given => {
        const next = new URLSearchParams(given)
        if (isOn) next.set(name, '')
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  }
  return [search.has(name), set] as const
}
