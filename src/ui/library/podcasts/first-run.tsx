import { useSignals } from '@preact/signals-react/runtime'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { useResource } from '../../use-resource'
import { AddForm } from './add-form'
import { PopularPodcasts } from './popular-podcasts'
import { WaysIn } from './ways-in'
import './first-run.css'

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
        <h2>{t(count > 0 ? 'which-podcast-next' : 'which-podcast-first')}</h2>
        <p className="muted">{t(takesWords ? 'first-run-help' : 'first-run-help-address')}</p>
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
        <button type="button" className="first-run-done" onClick={firstRun.end}>
          {t('show-podcasts', { count })}
        </button>
      )}
      <WaysIn onAddress={takesWords ? () => page.current?.querySelector('input')?.focus() : null} />
    </div>
  )
}
