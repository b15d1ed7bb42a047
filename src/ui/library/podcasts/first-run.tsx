import { useSignals } from '@preact/signals-react/runtime'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { useResource } from '../../use-resource'
import { AddForm } from './add-form'
import './adding.css'
import type { DirectoryHit } from '../../api/directory'
import { ForeignCover } from '../covers'
import { AddInPlace } from './use-adding'
import { FileUp, FolderInput, type LucideIcon, Smartphone } from 'lucide-react'
import { useOpmlInside } from './add-anywhere'
import { DirectoryDown } from './directory-results'
import { OpmlFileButton } from './opml-file-button'
import { SampleButton } from './feed-preview'
import { Link } from 'wouter'
import { routes } from '../../routes'

/** The country of the browser's language, for the charts of a directory. */
function countryOf(language: string): string {
  try {
    return new Intl.Locale(language.replace(/@.*/, '')).maximize().region ?? 'US'
  } catch {
    return 'US'
  }
}

/** Whether somebody types on a keyboard here, and is not busy with a menu or dialog, which would lose the focus. */
const mayTakeFocus = () =>
  matchMedia('(width >= 768px) and (pointer: fine)').matches && !document.querySelector('dialog[open], :popover-open')

/** The page of an empty library: the search for the first podcast, what is popular, and other ways in. */
export function FirstRun() {
  useSignals()
  const { api, firstRun, library } = useApp()
  const { t } = useTranslation()
  const popular = useResource(
    (signal, country: string) => api.directory.popular(country, signal),
    [countryOf(navigator.language)],
  )
  const [takesFocus] = useState(mayTakeFocus)
  useEffect(() => {
    firstRun.hold()
    return () => void firstRun.end()
  }, [firstRun])
  const count = library.all.value.length
  const takesWords = popular.error === null && popular.data?.isReachable !== false
  const podcasts = popular.data?.podcasts ?? []
  return (
    <div className="first-run">
      <header>
        <h2 className="display flush">{t(count > 0 ? 'which-podcast-next' : 'which-podcast-first')}</h2>
        <p className="faint">{t(takesWords ? 'first-run-help' : 'first-run-help-address')}</p>
      </header>
      <AddForm
        isBig
        takesWords={takesWords}
        isFocused={takesFocus}
        status={!takesWords && <DirectoryDown error={null} onRetry={() => void popular.retry()} />}
        idle={
          <>
            {podcasts.length > 0 && <PopularPodcasts podcasts={podcasts} />}
            {popular.isLoading && !popular.data && <div className="popular-skeleton" aria-hidden="true" />}
          </>
        }
      />
      {count > 0 && (
        <button type="button" className="first-run-done block" onClick={firstRun.end}>
          {t('show-podcasts', { count })}
        </button>
      )}
      <WaysIn />
    </div>
  )
}

/** A few popular podcasts, each to be added in place. */
function PopularPodcasts({ podcasts }: { podcasts: readonly DirectoryHit[] }) {
  const { t } = useTranslation()
  return (
    <section className="popular" aria-labelledby="popular-heading">
      <h2 id="popular-heading">{t('good-places-to-start')}</h2>
      <ul className="stack">
        {podcasts.map(hit => (
          <Starter key={hit.feedUrl} hit={hit} />
        ))}
      </ul>
    </section>
  )
}

/** A podcast to begin with. Nothing of it is fetched from its host before a press. */
function Starter({ hit }: { hit: DirectoryHit }) {
  const { api } = useApp()
  const { t } = useTranslation()
  const [isDead, setDead] = useState(false)
  async function find() {
    const seen = await api.podcasts.preview(hit.feedUrl)
    if (seen.kind !== 'feed' || !seen.newest) throw new Error('nothing to play')
    return seen.newest.local_url
  }
  return (
    <li className="stack">
      <span className="starter-cover relative">
        <ForeignCover src={hit.image} name={hit.title} size={256} />
        {!isDead && hit.podcastId === null && (
          <SampleButton name={hit.title} hit={hit} className="absolute" find={find} onFailed={() => setDead(true)} />
        )}
      </span>
      <b className="title text-s truncate above-8" dir="auto">
        {hit.title}
      </b>
      {isDead ? (
        <span className="fine caution" role="status">
          {t('starter-unreachable')}
        </span>
      ) : (
        <span className="muted truncate above-phone" dir="auto">
          {hit.author}
        </span>
      )}
      <AddInPlace hit={hit} />
    </li>
  )
}

/** The other ways to the first podcasts: a list of feeds, the library of another program, a phone that syncs. */
function WaysIn() {
  const { toasts } = useApp()
  const { t } = useTranslation()
  const { lookInside, isBusy, reason } = useOpmlInside()
  useEffect(() => {
    if (reason !== null) toasts.failed(reason)
  }, [reason, toasts])
  return (
    <section className="above-24">
      <h2>{t('bring-your-own')}</h2>
      <ul className="ways-in stack gap-12">
        <li>
          <OpmlFileButton className="entry way-file" isBusy={isBusy} label={t('opml-file')} onRead={lookInside}>
            <Way icon={FileUp} title={t('opml-file')}>
              <span className="way-drop">{t('way-file')}</span>
              <span className="way-choose">{t('choose-file')}</span>
            </Way>
          </OpmlFileButton>
        </li>
        <li>
          <Link className="entry" href={routes.settingsOf('move-in')}>
            <Way icon={FolderInput} title={t('way-move')}>
              {t('way-move-text')}
            </Way>
          </Link>
        </li>
        <li>
          <Link className="entry" href={routes.settingsOf('apps')}>
            <Way icon={Smartphone} title={t('way-phone')}>
              {t('way-phone-text')}
            </Way>
          </Link>
        </li>
      </ul>
    </section>
  )
}

function Way({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <>
      <span className="way-icon soft center accent rounded rigid">
        <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <span className="grow">
        <b className="block">{title}</b>
        <span className="muted regular">{children}</span>
      </span>
    </>
  )
}
