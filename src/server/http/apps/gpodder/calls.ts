import type { Context } from '../../../context'
import { devices } from './devices'
import { directory } from './directory'
import { episodes } from './episodes'
import { groups } from './groups'
import { lists } from './lists'
import { nextcloud } from './nextcloud'
import { emptyAnswer, type SyncRequest } from './protocol'
import { settings } from './settings'
import { subscriptions } from './subscriptions'
import { updates } from './updates'

/** A call of the protocol. Named groups of `path` become the request's `parts`. */
export type Call = { method: string; path: RegExp; answer: (request: SyncRequest) => unknown }

const user = '(?<user>[^/]+?)'
const device = '(?<device>[\\w.-]{1,64})'
const name = '(?<name>[^/]+?)'
const format = '(?<format>txt|json|opml)'
// Some apps leave the first part out, or double the slash before it.
const nextcloudApp = '/{0,2}(?:index\\.php/)?apps/gpoddersync'

/** Matches a whole path. */
export const at = (pattern: string) => new RegExp(`^${pattern}$`)

export const logoutPath = at(`/api/2/auth/${user}/logout\\.json`)

type Row = readonly [method: string, path: string, answer: Call['answer']]

/** All calls of the gPodder API and of Nextcloud's gpoddersync that need a user. */
export function createCalls(app: Context): readonly Call[] {
  const rows = [...deviceCalls(app), ...listCalls(app), ...nextcloudCalls(app)]
  return rows.map(([method, path, answer]) => ({ method, path: at(path), answer }))
}

/** Devices, and what is synchronised among them. */
function deviceCalls(app: Context): Row[] {
  const { list, save } = devices(app)
  const of = { subscriptions: subscriptions(app), episodes: episodes(app), groups: groups(app) }
  return [
    ['POST', `/api/2/auth/${user}/login\\.json`, () => emptyAnswer()],
    ['GET', `/api/2/devices/${user}\\.json`, list],
    ['POST', `/api/2/devices/${user}/${device}\\.json`, save],
    ['PUT', `/api/2/devices/${user}/${device}\\.json`, save],
    ['GET', `/api/2/subscriptions/${user}/${device}\\.json`, of.subscriptions.changes],
    ['POST', `/api/2/subscriptions/${user}/${device}\\.json`, of.subscriptions.change],
    ['GET', `/api/2/sync-devices/${user}\\.json`, of.groups.list],
    ['POST', `/api/2/sync-devices/${user}\\.json`, of.groups.change],
    ['GET', `/api/2/favorites/${user}\\.json`, of.episodes.favourites],
    ['GET', `/api/2/episodes/${user}\\.json`, of.episodes.list],
    ['POST', `/api/2/episodes/${user}\\.json`, of.episodes.upload],
    ['GET', `/subscriptions/${user}/${device}\\.${format}`, of.subscriptions.list],
    ['PUT', `/subscriptions/${user}/${device}\\.${format}`, of.subscriptions.replace],
    ['POST', `/subscriptions/${user}/${device}\\.${format}`, of.subscriptions.replace],
    ['GET', `/subscriptions/${user}\\.${format}`, of.subscriptions.all],
    ['GET', `/api/2/updates/${user}/${device}\\.json`, updates(app)],
  ]
}

/** Settings and lists that apps keep here, and the directory of podcasts. */
function listCalls(app: Context): Row[] {
  const of = { settings: settings(app), lists: lists(app), directory: directory(app) }
  return [
    ['GET', `/api/2/settings/${user}/(?<scope>\\w+)\\.json`, of.settings.list],
    ['POST', `/api/2/settings/${user}/(?<scope>\\w+)\\.json`, of.settings.change],
    ['GET', `/api/2/lists/${user}\\.json`, of.lists.all],
    ['POST', `/api/2/lists/${user}/create\\.${format}`, of.lists.create],
    ['GET', `/api/2/lists/${user}/list/${name}\\.${format}`, of.lists.one],
    ['PUT', `/api/2/lists/${user}/list/${name}\\.${format}`, of.lists.replace],
    ['DELETE', `/api/2/lists/${user}/list/${name}\\.${format}`, of.lists.remove],
    ['GET', `/search\\.${format}`, of.directory.search],
    ['GET', `/toplist(?:/(?<count>\\d{1,3}))?\\.${format}`, of.directory.toplist],
    ['GET', `/suggestions/(?<count>\\d{1,3})\\.${format}`, of.directory.suggestions],
  ]
}

function nextcloudCalls(app: Context): Row[] {
  const { subscriptions, change, actions, upload } = nextcloud(app)
  return [
    ['GET', `${nextcloudApp}/subscriptions`, subscriptions],
    ['POST', `${nextcloudApp}/subscription_change/create`, change],
    ['GET', `${nextcloudApp}/episode_action`, actions],
    ['POST', `${nextcloudApp}/episode_action/create`, upload],
  ]
}
