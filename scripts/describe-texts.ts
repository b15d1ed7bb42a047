import { join } from 'node:path'
import { Glob } from 'bun'
import { languages } from '../src/shared/languages'

// Describes every text for translators: `bun run texts` writes dist/texts/descriptions.csv, which Weblate and Crowdin
// read as the explanations of their source strings. With --screenshots it also photographs the interface, and writes
// which picture shows which text.

const root = join(import.meta.dir, '..')
const read = async (path: string) => (await Bun.file(join(root, path)).json()) as Record<string, string>

/** The longest translation for a text of this length that the interface has room for. */
export const roomFor = (length: number) => Math.round(1.6 * length) + 22

type Description = {
  key: string
  text: string
  where: readonly string[]
  note: string
  values: readonly string[]
  room: number
}

const endings = /_(zero|one|two|few|many|other|none)$/

/** Lists every text with the files that show it: by its whole key, or by the beginning of one that is put together. */
export async function describeTexts(): Promise<Description[]> {
  const [texts, notes] = await Promise.all([read('locales/en.json'), read('packaging/translations/notes.json')])
  const sources = await Promise.all(
    [
      'src/ui/**/*.tsx',
      'src/ui/**/*.ts',
      'src/server/notify/**/*.ts',
      'src/server/http/media/*.ts',
      'src/shared/choices.ts',
    ]
      .flatMap(pattern => [...new Glob(pattern).scanSync(root)])
      .map(async path => ({ path, code: await Bun.file(join(root, path)).text() })),
  )
  const composed = sources.flatMap(({ path, code }) =>
    [...code.matchAll(/`([a-z][\w.-]*)\$\{/g)].map(([, beginning]) => ({ path, beginning: beginning! })),
  )
  return Object.entries(texts).map(([key, text]) => {
    const base = key.replace(endings, '')
    const whole = sources.filter(({ code }) => code.includes(`'${base}'`)).map(({ path }) => path)
    const parts = composed.filter(({ beginning }) => base.startsWith(beginning)).map(({ path }) => path)
    return {
      key,
      text,
      where: [...new Set(whole.length > 0 ? whole : parts)],
      note: notes[base] ?? '',
      values: [...new Set(text.match(/\{[\w.]+\}/g))],
      room: roomFor(text.length),
    }
  })
}

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`

if (import.meta.main) {
  const seen = process.argv.includes('--screenshots') ? await writeScreenshots() : new Map<string, string>()
  const rows = (await describeTexts()).map(({ key, text, where, note, values, room }) => {
    const facts = [
      note,
      `Shown by ${where.join(', ')}.`,
      seen.has(key) && `Screenshot: ${seen.get(key)}.`,
      values.length > 0 && `${values.join(', ')} ${values.length === 1 ? 'is' : 'are'} filled in.`,
      endings.test(key) && 'A form of a number: give every form that your language has.',
      `Up to ${room} characters fit.`,
    ]
    return [key, text, facts.filter(Boolean).join(' '), String(room)].map(cell).join(',')
  })
  await Bun.write(
    join(root, 'dist/texts/descriptions.csv'),
    `"identifier","source_phrase","context","max_length"\n${rows.join('\n')}\n`,
  )
  console.log(`dist/texts/descriptions.csv: ${rows.length} texts, ${Object.keys(languages).length} languages`)
  process.exit(0)
}

/** Writes the pictures and `screenshots.json`; returns the picture with the fewest other texts for each key. */
async function writeScreenshots(): Promise<ReadonlyMap<string, string>> {
  const { photographTexts } = await import('./photograph-texts')
  const { pictures, found } = await photographTexts(await read('locales/en.json'), join(root, 'dist/texts/screenshots'))
  for (const { screen, fault } of found) console.error(`${screen} was not photographed: ${fault}`)
  await Bun.write(join(root, 'dist/texts/screenshots.json'), `${JSON.stringify(pictures, null, 1)}\n`)
  const seen = new Map<string, string>()
  for (const { file, tags } of pictures.toSorted((a, b) => a.tags.length - b.tags.length))
    for (const { key } of tags) if (!seen.has(key)) seen.set(key, file)
  console.log(`dist/texts/screenshots: ${pictures.length} pictures of ${seen.size} texts`)
  return seen
}
