import { DownloadState } from '../../../shared/api/episode'
import { playbackRates } from '../../../shared/playback-rates'
import { yourLists } from '../../../shared/api/your-episodes'
import { coverSizes } from '../../covers/sizes'
import { fields } from '../api/search'

/** Keywords of JSON schema for a field, beyond those of its schema. */
export type Rule = { [keyword: string]: unknown }

const cursor: Rule = { description: 'The `X-Next-Cursor` of an earlier response', pattern: '^[\\w.-]+$' }
const instant: Rule = { description: 'An instant or a day in ISO 8601', examples: ['2026-03-01T05:00:00.000Z'] }
const username: Rule = { minLength: 1, maxLength: 64, pattern: '^[^:/\\\\%]+$', examples: ['mara'] }
const size: Rule = { enum: coverSizes.map(String) }
const name: Rule = { pattern: '\\S', examples: ['Evening'] }

/**
 * Rules that routes enforce beyond their schemas, by call and by field of its path, query or body. A test compares them
 * with the server.
 */
export const rules: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  'GET /api/v1/settings/opml/:type': { type: { enum: ['local', 'online'] } },
  'GET /api/v1/podcasts/:id/:term/search': {
    id: { enum: ['0', '1'], description: '0 is iTunes, 1 is the Podcast Index' },
    term: { minLength: 1, maxLength: 200 },
  },
  'GET /covers/podcasts/:id': { size },
  'GET /covers/episodes/:id': { size },
  'GET /covers/podcasts/:id/persons/:place': { size },
  'GET /covers/episodes/:id/persons/:place': { size },
  'GET /covers/chapters/:id': { size },
  'GET /api/v1/downloads': { state: { enum: DownloadState.anyOf.map(one => one.const) }, cursor },
  'GET /api/v1/search': {
    in: { enum: fields },
    cursor,
    from: instant,
    to: instant,
  },
  'GET /api/v1/people/named/episodes': { cursor },
  'GET /api/v1/podcasts/:id/episodes': { cursor, last_podcast_episode: instant },
  'GET /api/v1/podcasts/timeline': {
    cursor,
    lastTimestamp: instant,
    from: instant,
    to: instant,
    tz: { description: 'An IANA time zone', examples: ['Europe/Copenhagen'] },
  },
  'POST /api/v1/podcasts/timeline/listened': { from: instant, to: instant },
  'POST /api/v1/podcasts/timeline/queue': { from: instant, to: instant },
  'GET /api/v1/episodes/yours/:list': { list: { enum: yourLists }, cursor },
  'GET /api/v1/stats/overview': {
    from: instant,
    to: instant,
    tz: { description: 'An IANA time zone', examples: ['Europe/Copenhagen'] },
  },
  'POST /api/v1/users': {
    username,
    password: {
      description: 'At least 8 characters, with a digit, a lower-case and an upper-case letter',
      examples: ['Corr3ctHorse'],
    },
  },
  'PUT /api/v1/users/:username': {
    username: { ...username, minLength: 0, pattern: '^[^:/\\\\%]*$' },
    apiKey: { description: '32 random hexadecimal digits', pattern: '^([0-9a-fA-F]{32})?$' },
  },
  'PUT /api/v1/users/:username/username': { username },
  'POST /api/v1/podcasts/feed': {
    rssFeedUrl: { minLength: 1, maxLength: 4096, examples: ['https://example.com/feed.xml'] },
    userAgent: { pattern: '^[\\x20-\\x7e]*$' },
  },
  'POST /api/v1/podcasts/preview': { userAgent: { pattern: '^[\\x20-\\x7e]*$' } },
  'PUT /api/v1/podcasts/:id/feed': {
    rssFeedUrl: { minLength: 1, maxLength: 4096, examples: ['https://example.com/feed.xml'] },
  },
  'PUT /api/v1/podcasts/:id/preferences': { speed: { enum: playbackRates } },
  'PUT /api/v1/podcasts/:id/settings': { userAgent: { pattern: '^[\\x20-\\x7e]*$' } },
  'POST /api/v1/tags': { name },
  'PUT /api/v1/tags/:id': { name },
  'POST /api/v1/playlist': { name },
  'PUT /api/v1/playlist/:id': { name },
}
