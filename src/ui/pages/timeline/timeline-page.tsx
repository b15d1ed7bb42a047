import { useSignals } from '@preact/signals-react/runtime'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-state'
import { EpisodeList } from '../../components/episodes/episode-list'
import { useEpisodeList } from '../../components/episodes/use-episode-list'
import { usePodcastNames } from '../../components/episodes/use-podcast-names'
import { FilterChip } from '../../components/filter-chip'
import { PageHeader } from '../../components/page-header'
import { Empty } from '../../components/states'
import { EmptyLibrary } from '../podcasts/empty-library'

/** The newest episodes of all podcasts. */
export function TimelinePage() {
  useSignals()
  const { api, changes } = useApp()
  const { t } = useTranslation()
  const { meet, nameOf } = usePodcastNames()
  const [favoredOnly, setFavoredOnly] = useState(false)
  const [notListened, setNotListened] = useState(false)
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
  const list = useEpisodeList(changes, null, load)

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
