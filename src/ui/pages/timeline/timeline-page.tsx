import { useSignals } from '@preact/signals-react/runtime'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { useApp } from '../../app-context'
import { EpisodeList } from '../../library/episodes/episode-list'
import { useEpisodeList } from '../../library/episodes/use-episode-list'
import { usePodcastNames } from '../../library/episodes/use-podcast-names'
import { FilterChip } from '../../components/filter-chip'
import { PageHeader } from '../../components/page-header'
import { Empty } from '../../components/states'
import { EmptyLibrary } from '../podcasts/empty-library'

/** The newest episodes of all podcasts. */
export function TimelinePage() {
  useSignals()
  const { api } = useApp()
  const { t } = useTranslation()
  const { meet, nameOf } = usePodcastNames()
  const [filters, setFilters] = useSearchParams()
  const favoredOnly = filters.has('favorites')
  const notListened = filters.has('unplayed')
  const filter = (name: string) => (isOn: boolean) =>
    setFilters(
      given => {
        const next = new URLSearchParams(given)
        if (isOn) next.set(name, '')
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  const load = useCallback(
    async (cursor: string | null) => {
      const { data, nextCursor } = await api.timeline.page({ favoredOnly, notListened, limit: 50 }, cursor)
      data.data.forEach(({ podcast }) => meet(podcast))
      const items = data.data.map(({ podcast_episode, history }) => ({
        podcastEpisode: podcast_episode,
        podcastHistoryItem: history,
      }))
      return { items, next: nextCursor }
    },
    [api, favoredOnly, notListened, meet],
  )
  const list = useEpisodeList(null, load)

  return (
    <>
      <PageHeader title={t('timeline')}>
        <FilterChip label={t('favorites-only')} isOn={favoredOnly} onToggle={filter('favorites')} />
        <FilterChip label={t('not-played-yet')} isOn={notListened} onToggle={filter('unplayed')} />
      </PageHeader>
      <h2 className="visually-hidden">{t('episodes')}</h2>
      <EpisodeList
        list={list}
        podcastNameOf={nameOf}
        showPodcast
        empty={
          favoredOnly || notListened ? (
            <Empty>{t('timeline-empty-filtered')}</Empty>
          ) : (
            <EmptyLibrary text={t('timeline-empty')} />
          )
        }
      />
    </>
  )
}
