import { parseOpml } from '../../opml/parse'
import { writeOpml } from '../../opml/write'
import type { PodcastEntry } from './present'
import { asTexts, badRequest, readJsonBody, SyncRefusal } from './protocol'

/** Five thousand podcasts are a megabyte. */
const MAX_OPML = 2_000_000

/** The addresses of a list in one of the protocol's formats. */
export function readAddresses(format: string, body: string): string[] {
  if (format === 'txt') return body.split(/\r?\n/).filter(line => line.trim() !== '')
  if (format === 'json') {
    const from = body.indexOf('[')
    return asTexts(readJsonBody(body.slice(Math.max(from, 0), body.lastIndexOf(']') + 1)), 'the list')
  }
  if (/<opml[\s>]/i.test(body) && !/xmlUrl/i.test(body)) return []
  if (body.length > MAX_OPML) throw new SyncRefusal(413, 'The list is too large')
  try {
    return parseOpml(body).map(({ feedUrl }) => feedUrl)
  } catch {
    throw badRequest('This is no OPML')
  }
}

/** A list in one of the protocol's formats; `json` is what stands for it there, which is not the same everywhere. */
export function writePodcasts(format: string, podcasts: readonly PodcastEntry[], json: () => unknown, now: number) {
  if (format === 'json') return json()
  if (format === 'txt')
    return new Response(podcasts.map(({ url }) => `${url}\n`).join(''), { headers: { 'Content-Type': 'text/plain' } })
  const outlines = podcasts.map(({ url, title }) => ({ title, xmlUrl: url, categories: [] }))
  return new Response(writeOpml('Castellan', now, outlines), { headers: { 'Content-Type': 'text/xml' } })
}
