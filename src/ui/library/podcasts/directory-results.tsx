import { useSignals } from '@preact/signals-react/runtime'
import type { TFunction } from 'i18next'
import {
  CircleCheck,
  CloudOff,
  Info,
  ListTree,
  LoaderCircle,
  LockKeyhole,
  type LucideIcon,
  TriangleAlert,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { ApiError } from '../../api/client'
import type { DirectoryHit } from '../../api/directory'
import { useApp } from '../../app-context'
import { describeFailure } from '../../failure'
import { routes } from '../../routes'
import type { AddressLook, Looked } from '../../state/address-look'
import { useResource } from '../../use-resource'
import { ForeignCover } from '../covers'
import './adding.css'
import { AddInPlace, reasonOf } from './use-adding'

const SEARCH_AFTER_MS = 300

/** The podcasts that a directory finds for some words, each to be added in place. */
export function DirectoryResults({ words }: { words: string }) {
  useSignals()
  const { api, session } = useApp()
  const { t } = useTranslation()
  const directory = session.config.value!.podindexConfigured ? 'podindex' : 'itunes'
  const { data, error, isStale, retry } = useResource(
    (signal, from: 'podindex' | 'itunes', wanted: string) => api.directory[from](wanted, signal),
    [directory, words],
    { debounceMs: SEARCH_AFTER_MS },
  )
  if (error !== null) return <DirectoryDown error={error} onRetry={() => void retry()} />
  return (
    <>
      <p className="address-status row gap-6 muted">{t('searching-directory')}</p>
      {(!data || isStale) && <p role="status" aria-busy="true" aria-label={t('loading')} />}
      {data?.length === 0 && !isStale && <p className="muted">{t('nothing-found')}</p>}
      {data && data.length > 0 && !isStale && (
        <ul className="directory ruled" aria-label={t('search-results')}>
          {data.map(hit => (
            <li className="stack level gap-12" key={hit.feedUrl}>
              <Hit hit={hit} />
              <AddInPlace hit={hit} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Says below the field that names can't be searched for now. Null error = the directory did not answer. */
export function DirectoryDown({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation()
  const isAway = error === null || (error instanceof ApiError && error.code === 'directory-unreachable')
  return (
    <p className="address-status row gap-6 caution" role="status">
      <CloudOff className="rigid" size={16} aria-hidden="true" />
      <span className="shrinks breaks text-s">
        {isAway ? t('search-by-name-off') : describeFailure(error)}{' '}
        <button type="button" className="link-button plain caution flush" onClick={onRetry}>
          {t('try-again')}
        </button>
      </span>
    </p>
  )
}

function Hit({ hit: { image, title, author } }: { hit: DirectoryHit }) {
  return (
    <>
      <ForeignCover src={image} name={title} size={64} />
      <span className="directory-text stack">
        <b className="truncate" dir="auto">
          {title}
        </b>
        <span className="muted truncate" dir="auto">
          {author}
        </span>
      </span>
    </>
  )
}

type Line = { icon: LucideIcon; tone: 'good' | 'plain' | 'bad'; text: string; podcastId?: string }

const tones = { good: 'positive', plain: '', bad: 'field-failure' } as const

/** One line that says what is at the typed address. */
export function AddressStatus({ look, failure, help }: { look: AddressLook; failure: string | null; help: string }) {
  useSignals()
  const { t } = useTranslation()
  const line = lineOf(look, failure, t)
  if (!line)
    return (
      <p className="address-status row gap-6 muted" id="address-status">
        {help}
      </p>
    )
  const { icon: Icon, tone, text, podcastId } = line
  return (
    <p
      className={`address-status row gap-6 muted ${tones[tone]}`}
      id="address-status"
      role={tone === 'bad' ? 'alert' : 'status'}
    >
      <Icon size={16} aria-hidden="true" />
      <span className="shrinks breaks">{text}</span>
      {podcastId !== undefined && (
        <Link className="rigid strong" href={routes.episodes(podcastId)}>
          {t('open')}
        </Link>
      )}
    </p>
  )
}

function lineOf({ looked, error, isBusy }: AddressLook, failure: string | null, t: TFunction): Line | null {
  if (failure !== null) return { icon: TriangleAlert, tone: 'bad', text: failure }
  if (isBusy.value) return { icon: LoaderCircle, tone: 'plain', text: t('looking') }
  if (error.value !== null) return { icon: TriangleAlert, tone: 'bad', text: reasonOf(error.value) }
  return looked.value && lineOfLooked(looked.value, t)
}

function lineOfLooked({ seen }: Looked, t: TFunction): Line {
  if (seen.kind === 'feed' && seen.isUnplayable) return { icon: TriangleAlert, tone: 'bad', text: t('seen-unplayable') }
  if (seen.kind === 'feed') return { icon: CircleCheck, tone: 'good', text: t('seen-feed') }
  if (seen.kind === 'choice')
    return { icon: ListTree, tone: 'plain', text: t('seen-page', { count: seen.feeds.length }) }
  if (seen.kind === 'opml') return { icon: ListTree, tone: 'plain', text: t('seen-opml') }
  if (seen.kind === 'known')
    return { icon: Info, tone: 'plain', text: t('seen-known', { name: seen.name }), podcastId: seen.podcastId }
  if (seen.kind === 'elsewhere')
    return { icon: Info, tone: 'plain', text: t(`link-${seen.why}`, { service: seen.service }) }
  return {
    icon: LockKeyhole,
    tone: seen.isRefused ? 'bad' : 'plain',
    text: t(seen.isRefused ? 'sign-in-refused' : 'seen-closed'),
  }
}
