import { useSignals } from '@preact/signals-react/runtime'
import { RefreshCw } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'wouter'
import type { Podcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { FilterChip } from '../../components/filter-chip'
import { IconButton } from '../../components/icon-button'
import { PageHeader } from '../../components/page-header'
import { Empty, Failed, Skeleton } from '../../components/states'
import { routes } from '../../routes'
import { AddPodcastButton } from './add-podcast'
import { EmptyLibrary } from './empty-library'
import { PodcastGrid } from './podcast-grid'
import './podcasts-page.css'

type Sort = 'title' | 'newest'

/** The library as a grid of covers; as favourites, those with a heart. */
export function PodcastsPage({ favouritesOnly }: { favouritesOnly: boolean }) {
  useSignals()
  const { library, session, tags, failed } = useApp()
  const { t } = useTranslation()
  const [words, setWords] = useState('')
  const [sort, setSort] = useState<Sort>(() =>
    localStorage.getItem('podcasts.sort') === 'newest' ? 'newest' : 'title',
  )
  useEffect(() => void library.load(), [library])

  useEffect(() => void tags.load(), [tags])
  const [search, setSearch] = useSearchParams()
  const tagId = search.get('tag')

  const all = library.all.value
  const ofPage = useMemo(
    () =>
      arrange(
        all.filter(podcast => !favouritesOnly || podcast.favorites),
        sort,
      ),
    [all, favouritesOnly, sort],
  )
  // Letters appear at once, however long the tiles take.
  const wanted = fold(useDeferredValue(words).trim())
  const shown = ofPage.filter(
    ({ name, tags }) => (!tagId || tags.some(({ id }) => id === tagId)) && fold(name).includes(wanted),
  )
  const isRefreshing = library.refreshing.value.size > 0

  return (
    <>
      <PageHeader title={favouritesOnly ? t('favorites') : t('all-subscriptions')}>
        {ofPage.length > 0 && session.mayUpload.value && (
          <IconButton
            icon={RefreshCw}
            label={isRefreshing ? t('refreshing') : t('refresh-all')}
            className={isRefreshing ? 'is-turning' : ''}
            disabled={isRefreshing}
            onClick={() => void library.refreshAll().catch(failed)}
          />
        )}
        {!favouritesOnly && session.mayAdd.value && <AddPodcastButton />}
      </PageHeader>
      {library.status.value === 'failed' && <Failed error={library.error.value} onRetry={() => void library.load()} />}
      {library.status.value === 'loading' && <Skeleton kind="tile" count={12} />}
      {library.status.value === 'ready' && ofPage.length === 0 && <NothingHere favouritesOnly={favouritesOnly} />}
      {ofPage.length > 0 && (
        <>
          <div className="podcasts-tools">
            <input
              type="search"
              value={words}
              placeholder={t('filter-by-name')}
              aria-label={t('filter-by-name')}
              onChange={event => setWords(event.target.value)}
            />
            <select
              value={sort}
              aria-label={t('sort-by')}
              onChange={event => {
                setSort(event.target.value as Sort)
                localStorage.setItem('podcasts.sort', event.target.value)
              }}
            >
              <option value="title">{t('sort-title')}</option>
              <option value="newest">{t('sort-newest')}</option>
            </select>
          </div>
          {tags.all.value && tags.all.value.length > 0 && (
            <div className="podcasts-tags" role="group" aria-label={t('filter-by-tag')}>
              {tags.all.value.map(tag => (
                <FilterChip
                  key={tag.id}
                  label={tag.name}
                  isOn={tag.id === tagId}
                  onToggle={isOn => setSearch(isOn ? { tag: tag.id } : {}, { replace: true })}
                />
              ))}
            </div>
          )}
          {shown.length === 0 && <Empty>{words ? t('no-podcast-matches', { words }) : t('no-podcast-tagged')}</Empty>}
          <PodcastGrid podcasts={shown} addressOf={favouritesOnly ? routes.favoriteEpisodes : routes.episodes} />
        </>
      )}
    </>
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

const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase()
const { compare } = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true })

const arrange = (podcasts: readonly Podcast[], sort: Sort): Podcast[] =>
  podcasts.toSorted((a, b) =>
    sort === 'title' ? compare(a.name, b.name) : (b.last_episode_at ?? '').localeCompare(a.last_episode_at ?? ''),
  )
