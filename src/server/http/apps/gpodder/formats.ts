import { parseOpml } from '../../../opml/parse'
import { writeOpml } from '../../../opml/write'
import { readAddress } from '../../../sync/addresses'
import type { PodcastEntry } from './present'
import { badRequest, readJsonBody, SyncRefusal } from './protocol'

/** Five thousand podcasts are a megabyte. */
const MAX_OPML = 2_000_000

/** The addresses of a list in one of the protocol's formats. Refused where one of them cannot be read. */
export function readAddresses(format: string, body: string): string[] {
  const addresses = { txt: readLines, json: readList, opml: readOutlines }[format]!(body)
  const unreadable = addresses.find(address => readAddress(address) === null)
  if (unreadable !== undefined) throw badRequest(`This is no address of a feed: ${unreadable.slice(0, 200)}`)
  return addresses
}

const readLines = (body: string) => body.split(/\r?\n/).filter(line => line.trim() !== '')

/** Addresses, or objects that hold one. */
function readList(body: string): string[] {
  const from = body.indexOf('[')
  const list = readJsonBody(body.slice(Math.max(from, 0), body.lastIndexOf(']') + 1))
  if (!Array.isArray(list)) throw badRequest('A list is expected')
  return list.map(entry => {
    const { url, feed, xmlUrl } = (entry ?? {}) as Record<string, unknown>
    const address = [entry, url, feed, xmlUrl].find(value => typeof value === 'string')
    if (typeof address !== 'string') throw badRequest('An entry of the list holds no address')
    return address
  })
}

function readOutlines(body: string): string[] {
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
