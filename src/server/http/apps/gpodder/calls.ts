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
// A device named `.` or `..` would have no separate address.
const device = '(?<device>(?!\\.{1,2}\\.\\w+$)[\\w.-]{1,64})'
const name = '(?<name>[^/]+?)'
const format = '(?<format>txt|json|opml)'
// Some apps leave the first part out, or double the slash before it.
const nextcloudApp = '/{0,2}(?:index\\.php/)?apps/gpoddersync'

/** Matches a whole path. Written where the path is, so that a test finds the patterns in the source. */
export const at = (pattern: string) => new RegExp(`^${pattern}$`)

export const logoutPath = at(`/api/2/auth/${user}/logout\\.json`)

type Row = readonly [method: string, path: RegExp, answer: Call['answer']]

/** All calls of the gPodder API and of Nextcloud's gpoddersync that need a user. */
export function createCalls(app: Context): readonly Call[] {
  const rows = [...deviceCalls(app), ...listCalls(app), ...nextcloudCalls(app)]
  return rows.map(([method, path, answer]) => ({ method, path, answer }))
}

/** Devices, and what is synchronised among them. */
function deviceCalls(app: Context): Row[] {
  const { list, save } = devices(app)
  const of = { subscriptions: subscriptions(app), episodes: episodes(app), groups: groups(app) }
  return [
    ['POST', at(`/api/2/auth/${user}/login\\.json`), () => emptyAnswer()],
    ['GET', at(`/api/2/devices/${user}\\.json`), list],
    ['POST', at(`/api/2/devices/${user}/${device}\\.json`), save],
    ['PUT', at(`/api/2/devices/${user}/${device}\\.json`), save],
    ['GET', at(`/api/2/subscriptions/${user}/${device}\\.json`), of.subscriptions.changes],
    ['POST', at(`/api/2/subscriptions/${user}/${device}\\.json`), of.subscriptions.change],
    ['GET', at(`/api/2/sync-devices/${user}\\.json`), of.groups.list],
    ['POST', at(`/api/2/sync-devices/${user}\\.json`), of.groups.change],
    ['GET', at(`/api/2/favorites/${user}\\.json`), of.episodes.favourites],
    ['GET', at(`/api/2/episodes/${user}\\.json`), of.episodes.list],
    ['POST', at(`/api/2/episodes/${user}\\.json`), of.episodes.upload],
    ['GET', at(`/subscriptions/${user}/${device}\\.${format}`), of.subscriptions.list],
    ['PUT', at(`/subscriptions/${user}/${device}\\.${format}`), of.subscriptions.replace],
    ['POST', at(`/subscriptions/${user}/${device}\\.${format}`), of.subscriptions.replace],
    ['GET', at(`/subscriptions/${user}\\.${format}`), of.subscriptions.all],
    ['GET', at(`/api/2/updates/${user}/${device}\\.json`), updates(app)],
  ]
}

/** Settings and lists that apps keep here, and the directory of podcasts. */
function listCalls(app: Context): Row[] {
  const of = { settings: settings(app), lists: lists(app), directory: directory(app) }
  return [
    ['GET', at(`/api/2/settings/${user}/(?<scope>\\w+)\\.json`), of.settings.list],
    ['POST', at(`/api/2/settings/${user}/(?<scope>\\w+)\\.json`), of.settings.change],
    ['GET', at(`/api/2/lists/${user}\\.json`), of.lists.all],
    ['POST', at(`/api/2/lists/${user}/create\\.${format}`), of.lists.create],
    ['GET', at(`/api/2/lists/${user}/list/${name}\\.${format}`), of.lists.one],
    ['PUT', at(`/api/2/lists/${user}/list/${name}\\.${format}`), of.lists.replace],
    ['DELETE', at(`/api/2/lists/${user}/list/${name}\\.${format}`), of.lists.remove],
    ['GET', at(`/search\\.${format}`), of.directory.search],
    ['GET', at(`/toplist(?:/(?<count>\\d{1,3}))?\\.${format}`), of.directory.toplist],
    ['GET', at(`/suggestions/(?<count>\\d{1,3})\\.${format}`), of.directory.suggestions],
  ]
}

function nextcloudCalls(app: Context): Row[] {
  const { subscriptions, change, actions, upload } = nextcloud(app)
  return [
    ['GET', at(`${nextcloudApp}/subscriptions`), subscriptions],
    ['POST', at(`${nextcloudApp}/subscription_change/create`), change],
    ['GET', at(`${nextcloudApp}/episode_action`), actions],
    ['POST', at(`${nextcloudApp}/episode_action/create`), upload],
  ]
}
