import { decodeHTML } from '../../platform/markup'
import { splitCredentials, type Credentials } from '../../outbound/credentials'
import { type Item, tooMany } from '../item'
import { isOnTheWeb, type Source, type SourceFile, text } from './source'

const MAX_CHANNELS = 50_000
/** The section with the settings for all channels. */
const DEFAULTS = '*'

type Channel = { name: string; feed: string; credentials: Credentials | null }

/** A list of channels, `.castgetrc`, and what each has downloaded, `.castget/NAME.xml` next to it. */
export const castget: Source = {
  name: 'castget',
  title: 'castget',
  isFile: true,
  recognise: ({ db, head }) => db === null && beginsWithSection(head) && /^[ \t]*(?:url|spool)[ \t]*=/m.test(head),
  read,
}

const beginsWithSection = (head: string) =>
  head
    .split('\n')
    .map(line => line.trim())
    .find(line => line !== '' && !line.startsWith('#'))
    ?.startsWith('[') ?? false

async function* read({ readLines }: SourceFile): AsyncGenerator<Item> {
  const channels = readChannels(readLines())
  const feeds = channels.filter(({ feed }) => isOnTheWeb(feed))
  for (const { name, feed, credentials } of feeds)
    yield { is: 'podcast', feed, title: text(name), credentials, active: true }
  for (const { feed } of feeds) yield { is: 'subscription', user: null, feed }
  for (const { feed } of channels)
    if (!isOnTheWeb(feed)) yield { is: 'left-out', kind: 'podcasts', reason: 'not-on-the-web', feed }
  for (const { name, feed } of feeds) {
    for (const address of enclosuresOf(readLines(`${name}.xml`)))
      yield {
        is: 'removed',
        episode: { feed, guid: null, address, title: null, publishedAt: null, duration: null },
      }
  }
}

function readChannels(lines: Iterable<string>): Channel[] {
  const urls = new Map<string, string>()
  let section = DEFAULTS
  for (const line of lines) {
    const trimmed = line.trim()
    if (trimmed.startsWith('[') && trimmed.endsWith(']')) section = trimmed.slice(1, -1)
    const [, url] = /^url[ \t]*=(.*)/.exec(trimmed) ?? []
    if (url !== undefined && section !== DEFAULTS) urls.set(section, url.trim())
    if (urls.size > MAX_CHANNELS) throw tooMany(`The file has more than ${MAX_CHANNELS} channels`, MAX_CHANNELS)
  }
  return [...urls].map(([name, url]) => {
    const { address, credentials } = splitCredentials(url)
    return { name, feed: address, credentials }
  })
}

function* enclosuresOf(lines: Iterable<string>): Generator<string> {
  for (const line of lines) {
    for (const [, quoted = ''] of line.matchAll(/<enclosure url="([^"]*)"/g)) {
      const address = text(decodeHTML(quoted))
      if (address !== null) yield address
    }
  }
}
