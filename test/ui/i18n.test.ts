import { afterAll, expect, test } from 'bun:test'
import { currentLanguage, translate } from '../../src/ui/i18n'
import { showTexts } from '../support/texts'

afterAll(() => showTexts('en', {}))

test('a text is that of the chosen language, with its values filled in', async () => {
  await showTexts('da', { greeting: 'Hej {name}, {name}', plain: 'Hjem' })
  expect([currentLanguage(), translate('plain'), translate('greeting', { name: 'Bo' })]).toEqual([
    'da',
    'Hjem',
    'Hej Bo, Bo',
  ])
})

test('a number takes the form that the language has for it', async () => {
  await showTexts('pl', {
    files_one: '{count} plik',
    files_few: '{count} pliki',
    files_many: '{count} plików',
    files_other: '–',
  })
  expect([1, 2, 5, 22, 0].map(count => translate('files', { count }))).toEqual([
    '1 plik',
    '2 pliki',
    '5 plików',
    '22 pliki',
    '0 plików',
  ])
})

test('a number is grouped as the language does it, unless it names something', async () => {
  const texts = { episodes_other: '{count}', done: '{done}/{total}', season: '{number}', said: '{title}' }
  const write = () => [
    translate('episodes', { count: 2000 }),
    translate('done', { done: 1234, total: 12_345 }),
    translate('season', { number: 2024 }),
    translate('said', { title: '2000' }),
  ]
  await showTexts('en', texts)
  expect(write()).toEqual(['2,000', '1,234/12,345', '2024', '2000'])
  await showTexts('de-DE', texts)
  expect(write()).toEqual(['2.000', '1.234/12.345', '2024', '2000'])
})

test('a context has a text of its own where there is one', async () => {
  await showTexts('en', { limit: '{limit} left', limit_none: 'None left' })
  expect([translate('limit', { limit: 3, context: 'none' }), translate('limit', { limit: 3, context: 'x' })]).toEqual([
    'None left',
    '3 left',
  ])
})

test('the first key with a text wins; without any, the stand-in or the key is shown', async () => {
  await showTexts('en', { known: 'Known' })
  expect(translate(['unknown', 'known'])).toBe('Known')
  expect(translate('unknown', { defaultValue: '' })).toBe('')
  expect(translate('unknown')).toBe('unknown')
})

test('a value that is not given stays visible as its name', async () => {
  await showTexts('en', { greeting: 'Hello {name}' })
  expect(translate('greeting')).toBe('Hello {name}')
})

test('a value is shown as it is, whatever it looks like', async () => {
  await showTexts('en', { greeting: 'Hello {name}, {other}', secret: 'Another text' })
  const hostile = '{other} $& $t(secret) <b>'
  expect(translate('greeting', { name: hostile, other: 'Bo' })).toBe(`Hello ${hostile}, Bo`)
  expect(translate('unknown', { defaultValue: hostile })).toBe(hostile)
})
