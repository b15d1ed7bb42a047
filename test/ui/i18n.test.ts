import { afterAll, expect, test } from 'bun:test'
import { currentLanguage, hasText, setTexts, translate } from '../../src/ui/i18n'

afterAll(() => setTexts('en', {}))

test('a text is that of the chosen language, with its values filled in', () => {
  setTexts('da', { greeting: 'Hej {name}, {name}', plain: 'Hjem' })
  expect([currentLanguage(), translate('plain'), translate('greeting', { name: 'Bo' })]).toEqual([
    'da',
    'Hjem',
    'Hej Bo, Bo',
  ])
})

test('a number takes the form that the language has for it', () => {
  setTexts('pl', {
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

test('a context has a text of its own where there is one', () => {
  setTexts('en', { limit: '{limit} left', limit_none: 'None left' })
  expect([translate('limit', { limit: 3, context: 'none' }), translate('limit', { limit: 3, context: 'x' })]).toEqual([
    'None left',
    '3 left',
  ])
})

test('the first key with a text wins; without any, the stand-in or the key is shown', () => {
  setTexts('en', { known: 'Known' })
  expect(translate(['unknown', 'known'])).toBe('Known')
  expect(translate('unknown', { defaultValue: '' })).toBe('')
  expect(translate('unknown')).toBe('unknown')
  expect([hasText('known'), hasText('unknown')]).toEqual([true, false])
})

test('a value that is not given stays visible as its name', () => {
  setTexts('en', { greeting: 'Hello {name}' })
  expect(translate('greeting')).toBe('Hello {name}')
})
