import type { Context } from '../../context'
import { parseOpml } from '../../opml/parse'
import type { UserRow } from '../../store/users'
import { escapeText } from 'entities'
import { addressKey } from '../../sync/addresses'
import {
  asObject,
  asTexts,
  badRequest,
  emptyAnswer,
  readJsonBody,
  readSince,
  SyncRefusal,
  type SyncRequest,
} from './protocol'

/** Subscriptions, as whole lists in several formats and as what changed. */
export function subscriptions({ store, sync }: Context) {
  /** From here on the device knows what it was told. */
  const noteSync = (user: UserRow, device: string, at: number) => store.sync.noteSync(user.id, device, at)

  return {
    /** What changed since. A device that is not there yet is none. */
    changes({ user, parts, query }: SyncRequest) {
      const since = readSince(query)
      if (since === null) throw badRequest('since is missing')
      if (!store.sync.findDevice(user.id, parts.device!)) throw new SyncRefusal(404, 'No such device')
      const answer = sync.subscriptions.since(user, since)
      noteSync(user, parts.device!, answer.timestamp)
      return answer
    },

    change({ user, parts, body }: SyncRequest) {
      const { add: toAdd, remove: toRemove } = asObject(readJsonBody(body))
      const add = asTexts(toAdd, 'add')
      const remove = asTexts(toRemove, 'remove')
      if (add.some(url => remove.includes(url))) throw badRequest('An address cannot be added and removed at once')
      sync.saveDevice(user, parts.device!, {})
      const { at, rewritten } = sync.subscriptions.change(user, parts.device!, { add, remove })
      return { timestamp: at, update_urls: rewritten }
    },

    /** The whole list of a device, or of all of them, which is the same. */
    list({ user, parts }: SyncRequest) {
      const answer = write(parts.format!, sync.subscriptions.list(user))
      noteSync(user, parts.device!, sync.clock())
      return answer
    },
    all({ user, parts }: SyncRequest) {
      const urls = sync.subscriptions.list(user)
      if (parts.format !== 'json') return write(parts.format!, urls)
      const known = new Map(store.podcasts.listFor(user).map(row => [addressKey(row.feed_url), row]))
      return urls.map(url => {
        const podcast = known.get(addressKey(url))
        return {
          url,
          title: podcast?.title ?? url,
          author: podcast?.author ?? '',
          description: podcast?.summary ?? '',
          subscribers: 1,
          logo_url: podcast?.image_url ?? null,
          scaled_logo_url: podcast?.image_url ?? null,
          website: podcast?.link ?? null,
          mygpo_link: podcast?.link ?? null,
        }
      })
    },

    replace({ user, parts, body }: SyncRequest) {
      const urls = read(parts.format!, body)
      sync.saveDevice(user, parts.device!, {})
      sync.subscriptions.replace(user, parts.device!, urls)
      return emptyAnswer()
    },
  }
}

function read(format: string, body: string): string[] {
  if (format === 'txt') return body.split(/\r?\n/).filter(line => line.trim() !== '')
  if (format === 'json') {
    const from = body.indexOf('[')
    return asTexts(readJsonBody(body.slice(Math.max(from, 0), body.lastIndexOf(']') + 1)), 'the list')
  }
  if (format === 'opml') {
    if (/<opml[\s>]/i.test(body) && !/xmlUrl/i.test(body)) return []
    try {
      return parseOpml(body).map(({ feedUrl }) => feedUrl)
    } catch {
      throw badRequest('This is no OPML')
    }
  }
  throw badRequest('Invalid format')
}

function write(format: string, urls: readonly string[]): unknown {
  if (format === 'json') return urls
  if (format === 'txt')
    return new Response(urls.map(url => `${url}\n`).join(''), { headers: { 'Content-Type': 'text/plain' } })
  if (format !== 'opml') throw badRequest('Invalid format')
  const outlines = urls.map(
    url => `<outline type="rss" text="${escapeText(url)}" title="${escapeText(url)}" xmlUrl="${attribute(url)}"/>`,
  )
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0"><head><title>Subscriptions</title></head><body>${outlines.join('')}</body></opml>\n`,
    { headers: { 'Content-Type': 'text/xml' } },
  )
}
const attribute = (text: string) => escapeText(text).replaceAll('"', '&quot;')
