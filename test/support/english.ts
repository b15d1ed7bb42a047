import { Glob } from 'bun'
import { helpText } from '../../src/server/cli/help'

// Counts words that read as if translated, in everything that people read: `bun test/support/english.ts` prints how often
// they occur, and where. Each has a more exact word: is moved, is imported, is stored, is shown, next to, automatically.

const idioms = [
  'goes(?! (?:dark|first|wrong)\\b)|comes(?! (?:after|before|first|from|last|next)\\b)|stands(?! (?:for|in for|still)\\b)',
  'lies|lends|tells|told|brings',
  'beside|meanwhile|whoever|whomever|that which',
  'of (?:its|their|our|your|his) own|by (?:itself|themselves|himself)',
  'comes? along|came along|goes? along|lets? be|a last one|an own',
  'anew|once more|without a word|none but|null where|at the foot|tak(?:e|es|en|ing) the place of|taken back',
  'to (?:its|their) ends?|(?<!\\b(?:there|if|where) )(?:is|are) none',
].join('|')
const idiom = new RegExp(`\\b(?:${idioms})\\b`, 'gi')
const word = /[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu

export const kinds = [
  'README.md',
  'docs',
  'docs/internals',
  'CHANGELOG.md',
  '--help',
  'locales/en.json',
  'comments',
] as const
export type Kind = (typeof kinds)[number]
type Text = { path: string; text: string }

const textsIn = (pattern: string) =>
  Promise.all([...new Glob(pattern).scanSync('.')].map(async path => ({ path, text: await Bun.file(path).text() })))

/** The comments of a source file; a `//` within a text does not count. */
const commentsOf = (source: string) =>
  source
    .split('\n')
    .flatMap(line => /^\s*(?:\/\/|\/?\*+)(.*)|\s\/\/ (.*)$/.exec(line)?.slice(1) ?? [])
    .join('\n')

/** Code and addresses are not prose. */
const proseOf = (markdown: string) =>
  markdown
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`]*`/g, '')
    .replace(/\]\([^)]*\)/g, ']')

async function textsOf(kind: Kind): Promise<Text[]> {
  if (kind === '--help') return [{ path: kind, text: helpText() }]
  if (kind === 'comments') {
    const sources = (await Promise.all(['src/**/*.ts', 'src/**/*.tsx', 'src/**/*.css'].map(textsIn))).flat()
    return sources.map(({ path, text }) => ({ path, text: commentsOf(text) }))
  }
  if (kind === 'locales/en.json') {
    const texts = Object.values((await Bun.file(kind).json()) as Record<string, string>)
    return [{ path: kind, text: texts.join('\n') }]
  }
  const documents = await textsIn(kind.endsWith('.md') ? kind : kind === 'docs' ? 'docs/*.md' : `${kind}/**/*.md`)
  return documents.map(({ path, text }) => ({ path, text: proseOf(text) }))
}

/** The words of a kind of text, and the idioms among them with their places. */
export async function measure(kind: Kind) {
  const texts = await textsOf(kind)
  const found = texts.flatMap(({ path, text }) =>
    [...text.matchAll(idiom)].map(({ 0: words, index }) => {
      const [from, to] = [Math.max(0, index - 40), index + words.length + 40]
      return { path, words: words.toLowerCase(), around: text.slice(from, to).replaceAll('\n', ' ') }
    }),
  )
  const words = texts.reduce((sum, { text }) => sum + (text.match(word)?.length ?? 0), 0)
  return { words, found, per10000: words === 0 ? 0 : (10_000 * found.length) / words }
}

if (import.meta.main) {
  const wanted = process.argv[2]
  for (const kind of kinds) {
    const { words, found, per10000 } = await measure(kind)
    console.log(`${kind.padEnd(16)} ${words} words, ${found.length} idioms, ${per10000.toFixed(1)} per 10,000`)
    if (wanted === kind) for (const { path, around } of found) console.log(`  ${path}: …${around}…`)
  }
}
