import type { Context } from '../../../context'
import { SECOND } from '../../../platform/clock'
import type { DeviceType } from '../../../../shared/api/access'
import { deviceTypes } from '../../../../shared/choices'
import type { SentAction } from '../../../sync/spelling'
import { directory } from './directory'
import {
  createPodcastEntries,
  presentEpisode,
  presentTime,
  readAddresses,
  writeActions,
  writePodcasts,
} from './formats'
import { lists, settings } from './app-data'
import { nextcloud } from './nextcloud'
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
const at = (pattern: string) => new RegExp(`^${pattern}$`)

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
  const { subscriptions, change, actions, upload, metrics, podcastData } = nextcloud(app)
  return [
    ['GET', at(`${nextcloudApp}/subscriptions`), subscriptions],
    ['POST', at(`${nextcloudApp}/subscription_change/create`), change],
    ['GET', at(`${nextcloudApp}/episode_action`), actions],
    ['POST', at(`${nextcloudApp}/episode_action/create`), upload],
    ['GET', at(`${nextcloudApp}/personal_settings/metrics`), metrics],
    ['GET', at(`${nextcloudApp}/personal_settings/podcast_data`), podcastData],
  ]
}

const known = new Set<string>([...deviceTypes, 'tablet'])

/** The devices of a user, which all share one list of subscriptions. */
const devices = ({ store, sync }: Context) => ({
  list({ user }: SyncRequest) {
    const subscriptions = sync.subscriptions.list(user).length
    return store.sync.devices(user.id).map(({ name, caption, type }) => ({ id: name, caption, type, subscriptions }))
  },

  save({ user, parts, body }: SyncRequest) {
    const { caption, type } = body.trim() === '' ? {} : asObject(readJsonBody(body))
    if (caption !== undefined && (typeof caption !== 'string' || caption.trim() === ''))
      throw badRequest('caption must be a text that is not empty')
    if (type !== undefined && (typeof type !== 'string' || !known.has(type)))
      throw badRequest(`type must be one of ${[...known].join(', ')}`)
    sync.saveDevice(user, parts.device!, {
      ...(caption !== undefined && { caption: caption.trim().slice(0, 200) }),
      // Other clients do not know tablets, and would refuse the whole list of devices.
      ...(type !== undefined && { type: (type === 'tablet' ? 'mobile' : type) as DeviceType }),
    })
    return emptyAnswer()
  },
})

/** The groups of devices that share subscriptions. Here all devices always share them. */
function groups({ store }: Context) {
  const names = ({ user }: SyncRequest) => store.sync.devices(user.id).map(({ name }) => name)
  const list = (request: SyncRequest) => {
    const all = names(request)
    return all.length > 1
      ? { synchronized: [all], 'not-synchronized': [] }
      : { synchronized: [], 'not-synchronized': all }
  }
  return {
    list,
    /** Checks a wish for other groups, and changes nothing: all devices stay in one group. */
    change(request: SyncRequest) {
      const given = asObject(readJsonBody(request.body))
      const groups = (given.synchronize ?? []) as unknown
      const stopped = (given['stop-synchronize'] ?? []) as unknown
      if (!Array.isArray(groups) || !Array.isArray(stopped)) throw badRequest('Expected lists of devices')
      if (groups.some(group => !Array.isArray(group) || group.length < 2))
        throw badRequest('A group needs at least two devices')
      const known = new Set<unknown>(names(request))
      if ([...groups.flat(), ...stopped].some(name => !known.has(name))) throw new SyncRefusal(404, 'Device not found')
      return list(request)
    },
  }
}

const MAX_EPISODES = 500

/** All news for a device in one response: changed subscriptions, and the newest episodes of podcasts in the library. */
function updates(app: Context) {
  const { store, sync } = app
  const entriesOf = createPodcastEntries(app)
  return (request: SyncRequest) => {
    const { user, parts, query, base } = request
    const since = readSince(query)
    if (since === null) throw badRequest('since is missing')
    const { add, remove, timestamp } = sync.subscriptions.since(user, since)
    if (store.isWritable()) sync.noteDevice(user, parts.device!)
    const find = sync.addresses.finder()
    const subscribed = new Set(sync.subscriptions.list(user).map(url => find(url)?.podcastId))
    const podcasts = store.sync.podcasts(user).filter(({ id }) => subscribed.has(id))
    const ids = podcasts.map(({ id }) => id)
    const episodes = store.sync.newest(user, ids, since * SECOND, MAX_EPISODES)
    const episodeIds = episodes.map(episode => episode.id)
    const { actions } = sync.actions.since(user, { since: 0, episodeIds, isAggregated: true })
    const last = new Map(actions.map(action => [action.episodeId, action]))
    const withActions = query.get('include_actions') === 'true'
    return {
      add: entriesOf(request, add),
      // Documentation and clients disagree about the name.
      remove,
      rem: remove,
      updates: episodes.map(episode => {
        const action = last.get(episode.id)
        return {
          ...presentEpisode(episode, base),
          status: action && action.action !== 'flattr' ? action.action : 'new',
          ...(withActions && action && { action: presentAction(action) }),
        }
      }),
      timestamp,
    }
  }
}

/** Episode actions, in the format of API 2. */
const episodes = ({ store, sync }: Context) => ({
  upload({ user, body }: SyncRequest) {
    const given = readJsonBody(body)
    if (!Array.isArray(given)) throw badRequest('Expected a list')
    const actions = given.filter(action => typeof action === 'object' && action !== null)
    if (actions.some(({ device }) => device !== undefined && device !== null && !isDeviceId(device)))
      throw badRequest('Invalid device id')
    return { timestamp: sync.actions.upload(user, actions), update_urls: [] }
  },

  favourites: ({ user, base }: SyncRequest) => store.sync.liked(user).map(episode => presentEpisode(episode, base)),

  list({ user, query }: SyncRequest) {
    const device = query.get('device')
    // All devices form one group, so an action on any of them concerns the one that asks.
    if (device !== null && !isDeviceId(device)) throw badRequest('Invalid device id')
    const found = sync.actions.sinceInParts(user, {
      since: readSince(query) ?? 0,
      podcast: query.get('podcast'),
      isAggregated: query.get('aggregated') === 'true',
    })
    if (device !== null && store.isWritable()) sync.noteDevice(user, device)
    return writeActions(found, presentAction)
  },
})

const isDeviceId = (given: unknown) => typeof given === 'string' && /^(?!\.{1,2}$)[\w.-]{1,64}$/.test(given)

/** An action in the format of API 2. Only plays have positions: clients stumble over others. */
function presentAction({ podcast, episode, guid, action, device, at, started, position, total }: SentAction) {
  return {
    podcast,
    episode,
    ...(guid !== null && { guid }),
    action,
    device,
    timestamp: presentTime(at),
    ...(action === 'play' &&
      position !== null && { started: started ?? 0, position, ...(total !== null && { total }) }),
  }
}

/** Subscriptions: whole lists in several formats, and changes since a second. */
function subscriptions(app: Context) {
  const { store, sync } = app
  const entriesOf = createPodcastEntries(app)

  return {
    /** Lists changes. An unknown device is registered by asking: some apps never register theirs. */
    changes({ user, parts, query }: SyncRequest) {
      const since = readSince(query)
      if (since === null) throw badRequest('since is missing')
      const answer = sync.subscriptions.since(user, since)
      // Reading does not wait for another process that writes.
      if (store.isWritable()) sync.noteDevice(user, parts.device!, true)
      return answer
    },

    change({ user, parts, body, base }: SyncRequest) {
      const { add: toAdd, remove: toRemove } = asObject(readJsonBody(body))
      const add = asTexts(toAdd, 'add')
      const remove = asTexts(toRemove, 'remove')
      if (add.some(url => remove.includes(url))) throw badRequest('An address cannot be added and removed at once')
      sync.noteDevice(user, parts.device!)
      const { at, rewritten } = sync.subscriptions.change(user, { device: parts.device!, base }, { add, remove })
      return { timestamp: at, update_urls: rewritten }
    },

    /** Writes the whole list for a device. All devices have the same one. */
    list(request: SyncRequest) {
      const { user, parts } = request
      const entries = entriesOf(request, sync.subscriptions.list(user))
      const answer = writePodcasts(parts.format!, entries, () => entries.map(({ url }) => url), app.now())
      // Reading does not wait for another process that writes.
      if (store.isWritable()) sync.noteDevice(user, parts.device!, true)
      return answer
    },
    all(request: SyncRequest) {
      const entries = entriesOf(request, sync.subscriptions.list(request.user))
      return writePodcasts(request.parts.format!, entries, () => entries, app.now())
    },

    /** Replaces the list as a whole, or not at all: half a list would unsubscribe from the other half. */
    replace({ user, parts, body, base }: SyncRequest) {
      const urls = readAddresses(parts.format!, body)
      sync.noteDevice(user, parts.device!)
      sync.subscriptions.replace(user, { device: parts.device!, base }, urls)
      return emptyAnswer()
    },
  }
}
