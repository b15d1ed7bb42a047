import { Glob } from 'bun'
import { expect, test } from 'bun:test'
import { languages } from '../../src/shared/languages'

const sources = await Promise.all(
  ['src/ui', 'src/server/notify', 'src/server/http/media']
    .flatMap(folder => [...new Glob(`${folder}/**/*.{ts,tsx}`).scanSync('.')])
    // Its values are keys, too.
    .concat('src/shared/choices.ts')
    .map(path => Bun.file(path).text()),
)
const code = sources.join('\n')

const files = new Map<string, Record<string, string>>()
for (const language of Object.keys(languages))
  files.set(language, (await Bun.file(`locales/${language}.json`).json()) as Record<string, string>)
const en = files.get('en')!
const others = [...files].filter(([language]) => language !== 'en')

const ending = /_(zero|one|two|few|many|other)$/
const plain = (key: string) => key.replace(ending, '')
const keys = Object.keys(en)
const namesOf = (texts: Record<string, string>) => new Set(Object.keys(texts).map(plain))
const placeholders = (text: string) => [...new Set(text.match(/\{[\w.]+\}/g))].sort()

/** The forms of a number that a language has: `one` and `other` in English, four in Polish. */
const formsOf = (language: string) =>
  ['zero', 'one', 'two', 'few', 'many', 'other'].filter(form =>
    new Intl.PluralRules(language).resolvedOptions().pluralCategories.includes(form as Intl.LDMLPluralRule),
  )

/** Words that are the same in two languages; every other text that equals the English one was forgotten. */
const sameAsEnglish: Record<string, readonly string[]> = await Bun.file('test/ui/same-as-english.json').json()

test('every text that the interface asks for is there', () => {
  const asked = [...code.matchAll(/\bt\(\s*'([^']+)'/g)].map(([, key]) => key!)
  const known = namesOf(en)
  expect(asked.filter(key => !known.has(key))).toEqual([])
})

test('no text is left over', () => {
  const isUsed = (key: string) => code.includes(`'${key}'`) || composed.some(prefix => key.startsWith(prefix))
  // Keys that are put together: `theme-` and the name of a theme, and the like.
  const composed = [...code.matchAll(/`([a-z][\w.-]*)\$\{/g)].map(([, prefix]) => prefix!)
  expect(keys.map(plain).filter(key => !isUsed(key))).toEqual([])
})

test('every language has every text, and none of its own', () => {
  const expected = [...namesOf(en)].sort()
  for (const [, texts] of others) expect([...namesOf(texts)].sort()).toEqual(expected)
})

test('every language counts in all of its own forms', () => {
  const counted = new Set(keys.filter(key => ending.test(key) && !key.endsWith('_none')).map(plain))
  for (const [language, texts] of files)
    for (const key of counted)
      expect({ language, key, forms: formsOf(language).filter(form => !(`${key}_${form}` in texts)) }).toEqual({
        language,
        key,
        forms: [],
      })
})

test('no text is left in English', () => {
  for (const [language, texts] of others) {
    const same = Object.keys(texts).filter(key => texts[key] === en[key])
    expect({ language, same }).toEqual({ language, same: [...(sameAsEnglish[language] ?? [])] })
  }
})

test('what is filled in is the same in every language', () => {
  for (const [language, texts] of others)
    for (const [key, text] of Object.entries(texts)) {
      const given = new Set(placeholders(en[key] ?? en[`${plain(key)}_other`]!))
      // One may be said in words.
      const isWhole = placeholders(text).length === given.size || /_(zero|one|two)$/.test(key)
      expect({ language, key, isFine: isWhole && placeholders(text).every(name => given.has(name)) }).toEqual({
        language,
        key,
        isFine: true,
      })
    }
})

test('texts are in alphabetical order, without exclamation marks', () => {
  for (const [, texts] of files) {
    const sorted = Object.keys(texts).sort((a, b) => a.localeCompare(b, 'en'))
    expect(Object.keys(texts)).toEqual(sorted)
    expect(Object.values(texts).filter(text => /[!¡]/.test(text))).toEqual([])
  }
})

test('the texts and keys that others rely on are there to the letter', () => {
  const keysInUse = [
    'settings-saved',
    'role-changed',
    'user-deleted',
    'invite-created',
    'invite-deleted',
    'created-playlist',
    'updated-playlist',
    'podcast-deleted',
    'user-settings-updated',
    'create-playlist',
    'update-playlist',
    'error-authenticating',
    'not-admin',
    'account-created',
    'no-notifications',
    'create-account',
    'your-username',
  ]
  expect(keysInUse.filter(key => !(key in en) || !code.includes(`'${key}'`))).toEqual([])
  expect(en).toMatchObject({
    'error.unexpected': 'An error has occurred',
    'error-authenticating': 'Error authenticating',
    'error.podcast-not-found': 'Podcast not found',
    'error.podcast-already-added': 'Podcast {name} already added',
    'error.not-admin': 'You are not an admin',
    'not-admin': 'You are not an admin',
    'error.not-uploader': 'You are not an admin or an uploader',
    'oidc-sign-in-failed': 'Sign-in failed',
    'oidc-sign-out-failed': 'Sign-out failed',
    'oidc-renew-failed': 'Renew silent failed',
  })
  expect(en['error.password-too-weak']).toStartWith('Password too weak')
  expect(en['oidc-unknown']).toStartWith('Unknown error while executing')
})
