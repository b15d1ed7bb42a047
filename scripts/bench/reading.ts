import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { growingFeed } from './library'
import { readOptions } from './options'
import { byTurns, startSamples, tableOf } from './samples'

const usage = `bun run bench parse against=FOLDER [turns=7]
compares the CPU of reading feeds with that of another checkout, which has its dependencies installed:
  git worktree add --detach FOLDER COMMIT && (cd FOLDER && bun install)`

const here = join(import.meta.dir, '../..')
const sizes = [100, 5000]

/** Reads generated feeds with the source of two checkouts by turns, each time in another process. */
export async function compareReading(args: readonly string[]) {
  const options = readOptions(args)
  const against = options.named.get('against')
  if (against === undefined || !existsSync(against)) return console.log(usage)
  const digests = { before: digestIn(resolve(against)), after: digestIn(here) }
  const folder = mkdtempSync(join(tmpdir(), 'castellan-reading-'))
  const samples = startSamples('before', 'after')
  try {
    const feeds = await writeFeeds(folder)
    await byTurns(['before', 'after'] as const, options.count('turns', 7), async side => {
      for (const { what, feed, grown } of feeds) samples.add(what, side, ...(await cpuOf(digests[side], feed, grown)))
    })
    console.log(
      tableOf([{ titles: ['before: first reading, read again, CPU ms', 'after', 'after : before'], samples }]),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The module that exports `digestFeed`, wherever a commit has it. */
function digestIn(checkout: string): string {
  const [path] = new Bun.Glob('src/server/feeds/**/digest.ts').scanSync({ cwd: checkout, absolute: true })
  if (path === undefined) throw new Error(`${checkout} has no src/server/feeds/**/digest.ts`)
  return path
}

async function cpuOf(digest: string, feed: string, grown: string): Promise<[number, number]> {
  const child = Bun.spawn(['bun', join(import.meta.dir, 'reading-once.ts'), digest, feed, grown], { stderr: 'inherit' })
  const answer = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error(`${digest} could not be measured`)
  return JSON.parse(answer) as [number, number]
}

/** Feeds of each size, without and with the podcast namespace, and the same with one more episode. */
async function writeFeeds(folder: string) {
  const { channel, item } = await readNamespace()
  const plain = (text: string) => text
  const tagged = (text: string) => withTags(text, channel, item)
  const feeds = []
  for (const episodes of sizes)
    for (const [name, dress] of [['', plain] as const, [' with the podcast namespace', tagged] as const]) {
      const [feed, grown] = [0, 1].map(edition => join(folder, `${feeds.length}-${edition}.xml`)) as [string, string]
      await Bun.write(feed, dress(growingFeed('reading', episodes, 0)))
      await Bun.write(grown, dress(growingFeed('reading', episodes, 1)))
      const megabytes = (Bun.file(feed).size / 1e6).toPrecision(2)
      feeds.push({ what: `${episodes.toLocaleString('en')} episodes${name}, ${megabytes} MB`, feed, grown })
    }
  return feeds
}

/** Every tag of the namespace with every attribute, as a channel and an item have them. */
async function readNamespace() {
  const fixture = await Bun.file(join(here, 'test/fixtures/podcast-namespace.xml')).text()
  const from = (start: string, end: string) => fixture.slice(fixture.indexOf(start), fixture.indexOf(end))
  return { channel: from('<podcast:guid>', '<item>'), item: from('<podcast:season', '</item>') }
}

/** Items are numbered from the oldest on, so that a new one leaves the others as they are. */
function withTags(feed: string, channel: string, item: string): string {
  const parts = feed.replace('<item>', () => `${channel.replaceAll('{host}', 'https://cdn.example')}<item>`)
  const items = parts.split('</item>')
  const tagsOf = (place: number) => item.replaceAll('{host}', `https://cdn.example/${items.length - place}`)
  return items.map((part, place) => (place === items.length - 1 ? part : `${part}${tagsOf(place)}</item>`)).join('')
}
