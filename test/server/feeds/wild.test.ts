import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Glob } from 'bun'
import { describe, expect, test } from 'bun:test'
import { digestFeed } from '../../../src/server/feeds/apply/digest'

// Feeds of other parsers' test suites, where somebody has put a folder of them beside the repository; see
// CONTRIBUTING.md.
const beside = join(import.meta.dir, '../../../..')
const found = [...new Glob('*/feeds/podcastparser/simple.rss').scanSync(beside)][0]
const folder = found ? join(beside, dirname(dirname(found))) : 'no such folder'

const read = (path: string) =>
  digestFeed({
    body: readFileSync(path),
    contentType: '',
    contentEncoding: '',
    address: `https://wild.example/${path.split('/').at(-1)}`,
    maxBytes: 64_000_000,
    known: [],
  })

const files = (name: string, pattern: RegExp) =>
  existsSync(join(folder, name))
    ? readdirSync(join(folder, name))
        .filter(file => pattern.test(file))
        .map(file => join(folder, name, file))
    : []

/** The number of playable episodes of each, trailers included; null = a clear refusal. Feeds that are not listed have none. */
const playable: Record<string, number | null> = {
  'issue_36_enclosure_text.xml': 1,
  'rss_channel_item_enclosure.xml': 1,
  'unknown_feed.xml': null,
  'empty_feed.xml': null,
  'json10_feed.json': 1,
  'json11_feed.json': 1,
  'rdf-ns.xml': 1,
  'rss-20.xml': 2,
  'rss-ns.xml': 2,
  'atom-ns.xml': 1,
  'itunes-missing-image.rss': 131,
  'pagination-links.rss': 1,
  'giantbomb-podcast.rss': 730,
  'unrecognized.rss': null,
  'example.xml': 4,
}

describe.if(existsSync(folder))('feeds in the wild', () => {
  for (const path of ['gofeed', 'feedsmith', 'rss-parser', 'podcast-namespace'].flatMap(name =>
    files(name, /\.(xml|rss|json)$/),
  ))
    test(`${path.split('/').at(-1)} gives its episodes or a clear refusal`, () => {
      const name = path.split('/').at(-1)!
      const expected = name in playable ? playable[name] : 0
      const result = read(path)
      expect(result.ok ? result.digest.added.length : null).toBe(expected!)
    })

  for (const path of files('podcastparser', /\.rss$/)) {
    const name = path.split('/').at(-1)!.replace('.rss', '')
    test(`${name} is read as gPodder's parser reads it, but for what docs/internals/feeds.md names`, () => {
      const result = read(path)
      const theirs = JSON.parse(readFileSync(path.replace('.rss', '.json'), 'utf8')) as Theirs
      expect(result.ok).toBe(true)
      if (result.ok) expect(ours(result.digest, name)).toEqual(expectation(theirs, name))
    })
  }
})

type Theirs = {
  title?: string
  link?: string
  episodes: {
    title: string
    guid: string
    link?: string
    published: number
    total_time?: number
    enclosures: { url: string; mime_type: string; file_size: number }[]
  }[]
}
type Digest = Extract<ReturnType<typeof digestFeed>, { ok: true }>['digest']

/** Their base is the test file's own address, ours where the feed came from. */
const rebase = (text: string) => text.replace(/^file:\/\/(tests\/data|\/)?\/?/, 'https://wild.example/')
/** Spells an address as `URL` does, so that only real differences count. */
const sameAddress = (text: string | null) => (text ? (URL.parse(text)?.href ?? text) : null)

/** They sort by date, ours stay in the feed's order. */
const byGuid = (a: { guid: string }, b: { guid: string }) => a.guid.localeCompare(b.guid)

/**
 * Feeds whose episodes differ on purpose: they list items without anything to play, drop untitled ones, or stop after
 * some.
 */
const differsInEpisodes = new Set([
  'atom_content_encoded',
  'media_episode_thumbnail_atom',
  'no_title_multi_enclosure',
  'max_episodes',
])

function ours(digest: Digest, name: string) {
  return {
    title: digest.title || null,
    link: name === 'atom_content_encoded' ? null : digest.facts.link,
    episodes: differsInEpisodes.has(name)
      ? null
      : digest.added
          .map(({ facts }) => ({
            title: facts.title,
            guid: facts.guid,
            link: facts.link,
            published: (facts.announced_at ?? 0) / 1000,
            duration: facts.duration,
            enclosure: { url: facts.enclosure_url, type: facts.enclosure_type, size: facts.enclosure_size },
          }))
          .sort(byGuid),
  }
}

function expectation(theirs: Theirs, name: string) {
  return {
    title: theirs.title === name ? null : (theirs.title ?? null),
    link: sameAddress(theirs.link ?? null),
    episodes: differsInEpisodes.has(name)
      ? null
      : theirs.episodes
          .filter(episode => episode.enclosures.length > 0)
          .map(episode => ({
            title: episode.title,
            guid: expectedGuid(episode.guid, name, episode.enclosures[0]!.url),
            link: sameAddress(episode.link ? rebase(episode.link) : null),
            published: episode.published,
            duration: episode.total_time ?? 0,
            enclosure: {
              url: rebase(episode.enclosures[0]!.url),
              type: expectedType(episode.enclosures[0]!.mime_type),
              size: episode.enclosures[0]!.file_size === -1 ? null : episode.enclosures[0]!.file_size,
            },
          }))
          .sort(byGuid),
  }
}

/** A substitute is the enclosure without scheme; a permalink stays as the feed has it. */
function expectedGuid(guid: string, name: string, enclosure: string): string {
  if (name === 'permalink') return 'episode/1/'
  return guid === enclosure ? rebase(guid).replace(/^https?:\/\//, '') : guid
}
const expectedType = (type: string) => (type === 'application/octet-stream' ? null : type)
