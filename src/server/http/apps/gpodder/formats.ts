import { parseOpml } from '../../../opml/parse'
import { writeOpml } from '../../../opml/file'
import { readAddress } from '../../../sync/addresses'
import type { PodcastEntry } from './present'
import { badRequest, readJsonBody, SyncRefusal } from './protocol'

/** Characters; a list of 5,000 podcasts has a million. */
const MAX_OPML = 2_000_000

/** Reads feed addresses in one of the protocol's formats. Throws `SyncRefusal` if one of them is not an address. */
export function readAddresses(format: string, body: string): string[] {
  const addresses = { txt: readLines, json: readList, opml: readOutlines }[format]!(body)
  const unreadable = addresses.find(address => readAddress(address) === null)
  if (unreadable !== undefined) throw badRequest(`Not a feed address: ${unreadable.slice(0, 200)}`)
  return addresses
}

const readLines = (body: string) => body.split(/\r?\n/).filter(line => line.trim() !== '')

/** Reads a JSON list of addresses, or of objects that contain one. */
function readList(body: string): string[] {
  const from = body.indexOf('[')
  const list = readJsonBody(body.slice(Math.max(from, 0), body.lastIndexOf(']') + 1))
  if (!Array.isArray(list)) throw badRequest('Expected a list')
  return list.map(entry => {
    const { url, feed, xmlUrl } = (entry ?? {}) as Record<string, unknown>
    const address = [entry, url, feed, xmlUrl].find(value => typeof value === 'string')
    if (typeof address !== 'string') throw badRequest('An entry of the list has no address')
    return address
  })
}

function readOutlines(body: string): string[] {
  if (/<opml[\s>]/i.test(body) && !/xmlUrl/i.test(body)) return []
  if (body.length > MAX_OPML) throw new SyncRefusal(413, `The list is too large, the limit is ${MAX_OPML} characters`)
  try {
    return parseOpml(body).map(({ feedUrl }) => feedUrl)
  } catch {
    throw badRequest('The list is not valid OPML')
  }
}

/** Writes a list in one of the protocol's formats. Each call has its own shape in JSON, which `json` makes. */
export function writePodcasts(format: string, podcasts: readonly PodcastEntry[], json: () => unknown, now: number) {
  if (format === 'json') return json()
  if (format === 'txt')
    return new Response(podcasts.map(({ url }) => `${url}\n`).join(''), { headers: { 'Content-Type': 'text/plain' } })
  const outlines = podcasts.map(({ url, title }) => ({ title, xmlUrl: url, categories: [] }))
  return new Response(writeOpml('Castellan', now, outlines), { headers: { 'Content-Type': 'text/xml' } })
}
