import { useSignals } from '@preact/signals-react/runtime'
import { Heart } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'wouter'
import type { Podcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { PageHeader } from '../../components/page-header'
import { RefreshButton } from '../../components/refresh-button'
import { Empty, Failed, Skeleton } from '../../components/states'
import { CopyFeedButton } from '../../library/forms/copy-feed-button'
import { AddPodcastButton } from '../../library/podcasts/add-podcast-button'
import { EmptyLibrary } from '../../library/podcasts/empty-library'
import { routes } from '../../routes'
import { arrange, fold, needsAttention } from './arrange'
import { PodcastGrid } from './podcast-grid'
import { PodcastTable } from './podcast-table'
import { PodcastsTools } from './podcasts-tools'
import { useArrangement } from './use-arrangement'
import './podcasts-page.css'

/** The library as covers or as a table: all podcasts, or the favourites. */
export function PodcastsPage({ favouritesOnly }: { favouritesOnly: boolean }) {
  useSignals()
  const { library, tags, feedChecks, failed } = useApp()
  const { t } = useTranslation()
  useEffect(() => {
    // The first load is on its way already.
    if (library.status.peek() === 'ready') void library.load()
    void tags.load()
  }, [library, tags])
  const [words, setWords] = useState('')
  const [isAwaited] = useState(() => library.status.peek() !== 'ready')
  const arrangement = useArrangement()
  const { sort, setSort, view } = arrangement
  const [search] = useSearchParams()
  const all = library.all.value
  const namesChecks = view === 'list' || all.some(needsAttention)
  useEffect(() => {
    if (namesChecks) void feedChecks.load().catch(failed)
  }, [namesChecks, feedChecks, failed])
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
  const shown = podcasts.filter(
    podcast => isWanted(podcast, search) && (wanted === '' || fold(podcast.name).includes(wanted)),
  )
  const addressOf = favouritesOnly ? routes.favoriteEpisodes : routes.episodes

  return (
    <>
      <Header favouritesOnly={favouritesOnly} hasPodcasts={podcasts.length > 0} />
      {library.status.value === 'failed' && <Failed error={library.error.value} onRetry={() => void library.load()} />}
      {(library.status.value === 'idle' || library.status.value === 'loading') && <Skeleton kind="tile" count={12} />}
      {library.status.value === 'ready' && podcasts.length === 0 && <NothingHere favouritesOnly={favouritesOnly} />}
      {podcasts.length > 0 && (
        <>
          <PodcastsTools podcasts={podcasts} words={words} onType={setWords} arrangement={arrangement} />
          {shown.length === 0 && <Empty>{words ? t('no-podcast-matches', { words }) : t('no-podcast-passes')}</Empty>}
          {view === 'list' ? (
            <PodcastTable podcasts={shown} addressOf={addressOf} sort={sort} onSort={setSort} />
          ) : (
            <PodcastGrid
              key={view}
              podcasts={shown}
              addressOf={addressOf}
              isCompact={view === 'compact'}
              isAwaited={isAwaited}
            />
          )}
        </>
      )}
    </>
  )
}

/** Returns whether a podcast passes the filter in the address. */
function isWanted(podcast: Podcast, search: URLSearchParams): boolean {
  if (search.has('attention')) return needsAttention(podcast)
  const tagId = search.get('tag')
  return tagId === null || podcast.tags.some(({ id }) => id === tagId)
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
      {favouritesOnly && hasPodcasts && <CopyFeedButton path="favorites" />}
      {!favouritesOnly && session.mayAdd.value && <AddPodcastButton />}
    </PageHeader>
  )
}

function NothingHere({ favouritesOnly }: { favouritesOnly: boolean }) {
  useSignals()
  const { library } = useApp()
  const { t } = useTranslation()
  if (!favouritesOnly) return <EmptyLibrary />
  if (library.all.value.length === 0) return <EmptyLibrary icon={Heart} text={t('favorites-empty')} />
  return (
    <Empty
      icon={Heart}
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
