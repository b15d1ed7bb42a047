import { basicAuthorization, type Credentials } from '../../outbound/credentials'
import type { RecordWriter } from '../lines'
import { tooMany } from '../item'
import { listOf, number, objectOf, text } from '../sources/source'
import { addressKey } from '../../sync/addresses'
import { ask, requireAnswer, requireValue, type Server } from './ask'

const MAX_PAGES = 2000
const MAX_DEVICES = 100

/** The calls of one of the two kinds of server. */
type Calls = { listFeeds: (server: Server) => Promise<Feed[]>; actions: string }
type Feed = { url: unknown; title: unknown }

/** Copies what one person keeps on a server with gPodder's API of version 2. Throws `MoveRefused`. */
export async function copyGpodder(plain: Server, login: Credentials, records: RecordWriter) {
  const name = encodeURIComponent(login.user)
  const server = await signIn(plain, login, name)
  const listFeeds = (one: Server) => listFeedsOf(one, name)
  await copy(server, { listFeeds, actions: `/api/2/episodes/${name}.json` }, records)
}

/** Copies what one person keeps in a Nextcloud with the app GPodder Sync. Throws `MoveRefused`. */
export async function copyNextcloud(plain: Server, login: Credentials, records: RecordWriter) {
  const server = { ...plain, headers: { Authorization: basicAuthorization(login) } }
  const app = '/index.php/apps/gpoddersync'
  const listFeeds = async (one: Server) => addedOf(await requireAnswer(one, `${app}/subscriptions?since=0`))
  await copy(server, { listFeeds, actions: `${app}/episode_action` }, records)
}

/** The feeds of a person's list; null if the server has no such list. */
export async function favouritesOf(plain: Server, login: Credentials): Promise<Set<string> | null> {
  const server = { ...plain, headers: { Authorization: basicAuthorization(login) } }
  const { value } = await ask(server, `/subscriptions/${encodeURIComponent(login.user)}.json`)
  if (!Array.isArray(value)) return null
  return new Set(value.map(feed => addressKey(text(feedOf(feed).url) ?? '')))
}

/** Some servers know a person by the cookie of the sign-in alone, others by the header of each request. */
async function signIn(plain: Server, login: Credentials, name: string): Promise<Server> {
  const server = { ...plain, headers: { Authorization: basicAuthorization(login) } }
  const path = `/api/2/auth/${name}/login.json`
  const { status, cookies } = await ask(server, path, '')
  // A server without this call has none of the others either, or asks for the header alone.
  if (status !== 200 && status !== 404 && status !== 405) requireValue(server, path, status, null)
  const cookie = cookies.map(one => one.split(';', 1)[0]!).join('; ')
  return cookie === '' ? server : { ...server, headers: { ...server.headers, Cookie: cookie } }
}

/** The list of the person, else the lists of their devices. */
async function listFeedsOf(server: Server, name: string): Promise<Feed[]> {
  const { value } = await ask(server, `/subscriptions/${name}.json`)
  if (Array.isArray(value)) return value.map(feedOf)
  const devices = await requireAnswer(server, `/api/2/devices/${name}.json`)
  const feeds: Feed[] = []
  for (const device of listOf(devices).slice(0, MAX_DEVICES)) {
    const id = text(objectOf(device).id, 200)
    if (id === null) continue
    feeds.push(
      ...addedOf(await requireAnswer(server, `/api/2/subscriptions/${name}/${encodeURIComponent(id)}.json?since=0`)),
    )
  }
  return feeds
}

const addedOf = (value: unknown): Feed[] => listOf(objectOf(value).add).map(feedOf)

function feedOf(value: unknown): Feed {
  const { url, title } = objectOf(value)
  return typeof value === 'string' ? { url: value, title: null } : { url, title }
}

async function copy(server: Server, { listFeeds, actions }: Calls, records: RecordWriter) {
  const seen = new Set<string>()
  for (const { url, title } of await listFeeds(server)) {
    const feed = text(url)
    if (feed === null || seen.has(feed)) continue
    seen.add(feed)
    await records.write({ is: 'feed', feed, title: text(title, 1000) })
  }
  for await (const action of listActions(server, actions)) {
    if (!/^(play|new)$/i.test(text(action.action) ?? '')) continue
    const { started, position, total } = action
    const [podcast, episode, guid, kind] = textsOf(action, 'podcast', 'episode', 'guid', 'action')
    const timestamp = number(action.timestamp) ?? text(action.timestamp, 100)
    const numbers = { started: number(started), position: number(position), total: number(total) }
    await records.write({ is: 'action', podcast, episode, guid, action: kind, timestamp, ...numbers })
  }
}

const textsOf = (fields: Record<string, unknown>, ...names: string[]) => names.map(name => text(fields[name]))

/** Follows the pages of a server that answers some at a time, until one has nothing new. */
async function* listActions(server: Server, path: string): AsyncGenerator<Record<string, unknown>> {
  let since = 0
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = objectOf(await requireAnswer(server, `${path}?since=${since}`))
    const actions = listOf(answer.actions)
    for (const action of actions) yield objectOf(action)
    const next = number(answer.timestamp) ?? 0
    if (actions.length === 0 || next <= since) return
    since = next
  }
  throw tooMany('The server does not come to an end', MAX_PAGES)
}
