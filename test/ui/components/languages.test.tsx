import { useSignals } from '@preact/signals-react/runtime'
import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import i18next from 'i18next'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import en from '../../../locales/en.json'
import pl from '../../../locales/pl.json'
import { formatDay } from '../../../src/ui/format-facts'
import { chooseLanguage } from '../../../src/ui/i18n'
import { showTexts } from '../../support/texts'

type Wishes = Partial<Record<'query' | 'cookie' | 'local' | 'session' | 'page', string>> & { browser?: string[] }

/** Makes a browser in which a language is wished for at these places, and detects the language in it. */
async function detect({ query, cookie, local, session, browser = [], page = '' }: Wishes): Promise<string> {
  history.replaceState(null, '', query === undefined ? '/ui/' : `/ui/?lng=${query}`)
  document.cookie = cookie === undefined ? 'i18next=; max-age=0' : `i18next=${cookie}`
  localStorage.clear()
  sessionStorage.clear()
  if (local !== undefined) localStorage.setItem('i18nextLng', local)
  if (session !== undefined) sessionStorage.setItem('i18nextLng', session)
  Object.defineProperty(navigator, 'languages', { configurable: true, value: browser })
  Object.defineProperty(navigator, 'language', { configurable: true, value: browser[0] })
  document.documentElement.lang = page
  await act(() => i18next.changeLanguage())
  return i18next.language
}

const { languages, language } = navigator
beforeEach(async () => {
  await detect({ browser: ['en-GB'] })
  await showTexts('pl', pl)
  await showTexts('en', en)
})
afterEach(async () => {
  await detect({})
  Object.defineProperty(navigator, 'languages', { configurable: true, value: languages })
  Object.defineProperty(navigator, 'language', { configurable: true, value: language })
  for (const code of ['pl', 'en']) await act(() => showTexts(code, {}))
})

test('the address decides before the cookie, local and session storage, the browser and the page', async () => {
  const wishes: Wishes = { query: 'pl', cookie: 'da', local: 'de', session: 'fr', browser: ['sv', 'uk'], page: 'nl' }
  const found = [await detect(wishes)]
  for (const place of ['query', 'cookie', 'local', 'session', 'browser', 'page'] as const) {
    delete wishes[place]
    found.push(await detect(wishes))
  }
  expect(found).toEqual(['pl', 'da', 'de-DE', 'fr', 'sv', 'nl', 'en'])
})

test('a detected language is kept in local storage', async () => {
  await detect({ query: 'de-AT' })
  expect([localStorage.getItem('i18nextLng'), sessionStorage.getItem('i18nextLng')]).toEqual(['de-DE', null])
})

test('a language of a region is the one that there is', async () => {
  const asked = ['de', 'de-AT', 'DE_ch', 'da-DK', 'en-GB', 'fr-CA', 'pl', 'es-419', 'de-DE', 'pt', 'pt-PT']
  const found = []
  for (const code of asked) found.push(await detect({ browser: ['xx', code, 'en'] }))
  expect(found).toEqual(['de-DE', 'de-DE', 'de-DE', 'da', 'en', 'fr', 'pl', 'es', 'de-DE', 'pt-BR', 'pt-BR'])
})

test('a wish that is no known language is passed over, whatever it holds', async () => {
  for (const wish of ['<script>', '%3Cscript%3E', 'javascript:x', '../en', 'constructor', '__proto__', ''])
    expect([wish, await detect({ query: wish, cookie: 'xx', browser: ['es'] })]).toEqual([wish, 'es'])
})

test('a chosen language is kept, named by the page with its direction, and shown everywhere without a reload', async () => {
  const Texts = memo(() => <p>{useTranslation().t('all-new', { count: 3 })}</p>)
  const Dates = memo(() => {
    useSignals()
    return <p>{formatDay('2026-11-21T12:00:00Z')}</p>
  })
  render(
    <>
      <Texts />
      <Dates />
    </>,
  )
  const shown = () => screen.getAllByText(/./).map(({ textContent }) => textContent)
  expect(shown()).toEqual(['All 3 new feeds', '21 Nov 2026'])
  await act(() => chooseLanguage('pl'))
  expect(shown()).toEqual([pl['all-new_few'].replace('{count}', '3'), '21 lis 2026'])
  expect([document.documentElement.lang, document.documentElement.dir]).toEqual(['pl', 'ltr'])
  expect(localStorage.getItem('i18nextLng')).toBe('pl')
})
