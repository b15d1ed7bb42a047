import { useSignals } from '@preact/signals-react/runtime'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'wouter'
import type { KnownPodcast } from '../../../shared/api/podcast'
import { findCategories } from '../../api/library'
import { useApp } from '../../app-context'
import { tintStyle } from '../../components/cover'
import { PageHeader } from '../../components/page-header'
import { formatDate } from '../../format'
import { PodcastCover } from '../../library/covers'
import { SearchPanel } from '../../library/search/search-panel'
import { routes } from '../../routes'
import { lastVisit } from '../../state/visits'
import { useResource } from '../../use-resource'
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

/** Below the field before anything is typed: what is new since the last visit, and the categories of the library. */
function SearchStart() {
  return (
    <>
      <NewSinceLastVisit />
      <YourCategories />
    </>
  )
}

const MAX_TILES = 12

function NewSinceLastVisit() {
  useSignals()
  const { library } = useApp()
  const { t } = useTranslation()
  const visit = lastVisit(localStorage)
  if (!visit) return null
  const since = new Date(visit).toISOString()
  const published = ({ last_episode_at }: KnownPodcast) => last_episode_at ?? ''
  const fresh = library.all.value
    .filter(podcast => podcast.new_count > 0 && published(podcast) > since)
    .toSorted((one, other) => published(other).localeCompare(published(one)))
    .slice(0, MAX_TILES)
  if (fresh.length === 0) return null
  return (
    <section className="search-section">
      <div className="row spread gap-8">
        <h2>{t('new-since-last-visit')}</h2>
        <span className="muted">{formatDate(since)}</span>
      </div>
      <ul className="search-shelf shelf gap-12">
        {fresh.map(podcast => (
          <li className="shrinks" key={podcast.id}>
            <Link className="bare" href={routes.episodes(podcast.id)}>
              <PodcastCover podcast={podcast} size={256} />
              <span className="title text-s clamp above-8">
                <bdi>{podcast.newest_episode_name}</bdi>
              </span>
              <span className="visually-hidden">{podcast.name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Fewer podcasts make no category. */
const MIN_PODCASTS = 2

function YourCategories() {
  useSignals()
  const { client, library } = useApp()
  const { t } = useTranslation()
  const { data } = useResource(() => findCategories(client), [])
  const shown = (data ?? []).filter(({ podcastIds }) => podcastIds.length >= MIN_PODCASTS)
  if (shown.length === 0) return null
  return (
    <section className="search-section">
      <h2>{t('your-categories')}</h2>
      <ul className="search-categories stack gap-12">
        {shown.map(({ name, podcastIds }) => {
          const podcast = podcastIds.map(id => library.byId.value.get(id)).find(known => known !== undefined)
          return (
            <li key={name}>
              <Link
                className="search-category curved bare tinted washed clipped relative block"
                style={tintStyle(podcast?.coverColor, name)}
                href={routes.category(name)}
              >
                <span className="title block">
                  <bdi>{name}</bdi>
                </span>
                <span className="muted numbers">{t('podcasts-count', { count: podcastIds.length })}</span>
                {podcast && <PodcastCover podcast={podcast} size={64} />}
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
