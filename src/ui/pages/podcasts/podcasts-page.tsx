import { useSignals } from '@preact/signals-react/runtime'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'wouter'
import type { Podcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { PageHeader } from '../../components/page-header'
import { RefreshButton } from '../../components/refresh-button'
import { Empty, Failed, Skeleton } from '../../components/states'
import { AddPodcastButton } from '../../library/podcasts/add-podcast-button'
import { EmptyLibrary } from '../../library/podcasts/empty-library'
import { routes } from '../../routes'
import { arrange, fold, type Sort } from './arrange'
import { PodcastGrid } from './podcast-grid'
import { PodcastsTools } from './podcasts-tools'
import './podcasts-page.css'

/** The library as a grid of covers: all podcasts, or the favourites. */
export function PodcastsPage({ favouritesOnly }: { favouritesOnly: boolean }) {
  useSignals()
  const { library, tags } = useApp()
  const { t } = useTranslation()
  useEffect(() => {
    void library.load()
    void tags.load()
  }, [library, tags])
  const [words, setWords] = useState('')
  const [sort, setSort] = useSort()
  const tagId = useSearchParams()[0].get('tag')
  const all = library.all.value
  const podcasts = useMemo(
    () =>
      arrange(
        all.filter(podcast => !favouritesOnly || podcast.favorites),
        sort,
      ),
    [all, favouritesOnly, sort],
  )
  // Letters appear at once, however long the tiles take to draw.
  const wanted = fold(useDeferredValue(words).trim())
  const shown = podcasts.filter(podcast => hasTag(podcast, tagId) && fold(podcast.name).includes(wanted))

  return (
    <>
      <Header favouritesOnly={favouritesOnly} hasPodcasts={podcasts.length > 0} />
      {library.status.value === 'failed' && <Failed error={library.error.value} onRetry={() => void library.load()} />}
      {library.status.value === 'loading' && <Skeleton kind="tile" count={12} />}
      {library.status.value === 'ready' && podcasts.length === 0 && <NothingHere favouritesOnly={favouritesOnly} />}
      {podcasts.length > 0 && (
        <>
          <PodcastsTools words={words} sort={sort} onType={setWords} onSort={setSort} />
          {shown.length === 0 && <Empty>{words ? t('no-podcast-matches', { words }) : t('no-podcast-tagged')}</Empty>}
          <PodcastGrid podcasts={shown} addressOf={favouritesOnly ? routes.favoriteEpisodes : routes.episodes} />
        </>
      )}
    </>
  )
}

const hasTag = ({ tags }: Podcast, tagId: string | null) => !tagId || tags.some(({ id }) => id === tagId)

const SORT_KEY = 'podcasts.sort'

/** The order of the grid, remembered by this browser. */
function useSort() {
  const [sort, setSort] = useState<Sort>(() => (localStorage.getItem(SORT_KEY) === 'newest' ? 'newest' : 'title'))
  function choose(next: Sort) {
    setSort(next)
    localStorage.setItem(SORT_KEY, next)
  }
  return [sort, choose] as const
}

function Header({ favouritesOnly, hasPodcasts }: { favouritesOnly: boolean; hasPodcasts: boolean }) {
  useSignals()
  const { library, session, failed } = useApp()
  const { t } = useTranslation()
  return (
    <PageHeader title={favouritesOnly ? t('favorites') : t('all-subscriptions')}>
      {hasPodcasts && session.mayUpload.value && (
        <RefreshButton
          label={t('refresh-all')}
          busyLabel={t('refreshing')}
          isBusy={library.refreshing.value.size > 0}
          onClick={() => void library.refreshAll().catch(failed)}
        />
      )}
      {!favouritesOnly && session.mayAdd.value && <AddPodcastButton />}
    </PageHeader>
  )
}

function NothingHere({ favouritesOnly }: { favouritesOnly: boolean }) {
  const { t } = useTranslation()
  if (!favouritesOnly) return <EmptyLibrary />
  return (
    <Empty
      action={
        <Link href={routes.podcasts} role="button" className="secondary">
          {t('all-subscriptions')}
        </Link>
      }
    >
      {t('favorites-empty')}
    </Empty>
  )
}
