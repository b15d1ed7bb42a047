import { useSignals } from '@preact/signals-react/runtime'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { useResource } from '../../use-resource'
import { AddForm } from './add-form'
import './adding.css'
import type { DirectoryHit } from '../../api/directory'
import { ForeignCover } from '../covers'
import { AddInPlace } from './use-adding'
import { ChevronRight, FolderInput, type LucideIcon, Rss, Smartphone } from 'lucide-react'
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
  const page = useRef<HTMLDivElement>(null)
  const [takesFocus] = useState(mayTakeFocus)
  useEffect(() => {
    firstRun.hold()
    return () => void firstRun.end()
  }, [firstRun])
  const count = library.all.value.length
  const takesWords = popular.error === null && popular.data?.isReachable !== false
  const podcasts = popular.data?.podcasts ?? []
  return (
    <div className="first-run" ref={page}>
      <header>
        <h2 className="display flush">{t(count > 0 ? 'which-podcast-next' : 'which-podcast-first')}</h2>
        <p className="faint">{t(takesWords ? 'first-run-help' : 'first-run-help-address')}</p>
      </header>
      <AddForm
        isBig
        takesWords={takesWords}
        isFocused={takesFocus}
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
      <WaysIn onAddress={takesWords ? () => page.current?.querySelector('input')?.focus() : null} />
    </div>
  )
}

/** A few popular podcasts, each to be added in place. */
function PopularPodcasts({ podcasts }: { podcasts: readonly DirectoryHit[] }) {
  const { t } = useTranslation()
  return (
    <section className="popular" aria-labelledby="popular-heading">
      <h2 id="popular-heading">{t('popular-now')}</h2>
      <ul className="stack">
        {podcasts.map(hit => (
          <li key={hit.feedUrl}>
            <ForeignCover src={hit.image} name={hit.title} size={256} />
            <b className="title text-s truncate above-8" dir="auto">
              {hit.title}
            </b>
            <span className="muted truncate above-phone" dir="auto">
              {hit.author}
            </span>
            <AddInPlace hit={hit} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** `onAddress`: null if the field above accepts only addresses and says so. */
type Props = { onAddress: (() => void) | null }

/** The other ways to the first podcasts: an address, the library of another program, a phone that syncs. */
function WaysIn({ onAddress }: Props) {
  const { t } = useTranslation()
  return (
    <ul className="ways-in ruled-above stack gap-12">
      {onAddress && (
        <li>
          <button type="button" className="entry" onClick={onAddress}>
            <Way icon={Rss} title={t('way-address')}>
              {t('way-address-text')}
            </Way>
          </button>
        </li>
      )}
      <li>
        <Link className="entry" href={routes.settingsOf('move-in')}>
          <Way icon={FolderInput} title={t('way-move')}>
            {t('way-move-text')} <span className="way-drop">{t('way-import-drop')}</span>
          </Way>
        </Link>
      </li>
      <li>
        <Link className="entry" href={routes.settingsOf('apps')}>
          <Way icon={Smartphone} title={t('way-phone')}>
            {t('way-phone-text')} <u className="accent">{t('way-phone-address')}</u>
          </Way>
        </Link>
      </li>
    </ul>
  )
}

function Way({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <>
      <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
      <span className="grow">
        <b className="block">{title}</b>
        <span className="muted">{children}</span>
      </span>
      <ChevronRight className="flip" size={16} aria-hidden="true" />
    </>
  )
}
