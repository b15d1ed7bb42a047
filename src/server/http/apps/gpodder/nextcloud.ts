import type { Context } from '../../../context'
import type { SentAction } from '../../../sync/spelling'
import { SECOND } from '../../../platform/clock'
import { createPodcastEntries, type PodcastEntry, presentTime, writeActions } from './formats'
import { asObject, asTexts, badRequest, readJsonBody, readSince, SyncRefusal, type SyncRequest } from './protocol'

/** Sync in the dialect of Nextcloud's gpoddersync: no devices, actions in capitals, -1 for unknown numbers. */
export const nextcloud = (app: Context) => ({
  ...createSettings(app),
  ...createExchange(app),
})

const createExchange = ({ sync }: Context) => ({
  subscriptions({ user, query, shown }: SyncRequest) {
    const phone = sync.phones.find(user, shown)
    return sync.phones.answer(phone, 'subscriptions', readSince(query) ?? 0, since =>
      sync.subscriptions.since(user, since),
    )
  },

  change({ user, body, base, shown }: SyncRequest) {
    const { add, remove } = asObject(readJsonBody(body))
    const device = sync.phones.find(user, shown).name
    sync.noteDevice(user, device)
    const changes = { add: asTexts(add, 'add'), remove: asTexts(remove, 'remove') }
    return { timestamp: sync.subscriptions.change(user, { device, base }, changes).at }
  },

  /**
   * Lists the last play of each episode: other actions, such as a deleted download, have no position. An episode that
   * was marked as unplayed is a play at position 0, because these apps know no other action.
   */
  actions({ user, query, shown }: SyncRequest) {
    const phone = sync.phones.find(user, shown)
    const found = sync.phones.answer(phone, 'actions', readSince(query) ?? 0, since =>
      sync.actions.sinceInParts(user, { since, isOfPlaces: true, isAggregated: true }),
    )
    return writeActions(found, present)
  },

  upload({ user, body, shown }: SyncRequest) {
    const given = readJsonBody(body)
    if (!Array.isArray(given)) throw badRequest('Expected a list')
    const actions = given.filter(action => typeof action === 'object' && action !== null)
    const device = sync.phones.find(user, shown).name
    sync.noteDevice(user, device)
    return {
      timestamp: sync.actions.upload(
        user,
        actions.map(action => ({ ...action, device })),
      ),
    }
  },
})

const kinds = ['download', 'delete', 'play', 'new', 'flattr'] as const

/** Facts about subscriptions, for Nextcloud's page of settings and for apps such as RePod. */
function createSettings(app: Context) {
  const { sync, now } = app
  const entriesOf = createPodcastEntries(app)
  const described = ({ title, author, website, description, logo_url }: PodcastEntry) => ({
    title,
    author: author || null,
    link: website,
    description: description || null,
    imageUrl: logo_url,
    imageBlob: null,
    fetchedAtUnix: Math.floor(now() / SECOND),
  })

  return {
    /** Counts the actions on each subscription, and adds up the positions of its plays, as gpoddersync does. */
    async metrics(request: SyncRequest) {
      const counts = new Map<string, { seconds: number; kinds: Map<string, number> }>()
      for await (const actions of sync.actions.sinceInParts(request.user, { since: 0 }).parts)
        for (const { podcast, action, position } of actions) {
          const known = counts.get(podcast) ?? { seconds: 0, kinds: new Map<string, number>() }
          counts.set(podcast, known)
          known.kinds.set(action, (known.kinds.get(action) ?? 0) + 1)
          if (action === 'play') known.seconds += Math.max(position ?? 0, 0)
        }
      const entries = entriesOf(request, sync.subscriptions.list(request.user))
      return {
        subscriptions: entries.map(entry => ({
          url: entry.url,
          listenedSeconds: counts.get(entry.url)?.seconds ?? 0,
          actionCounts: Object.fromEntries(kinds.map(kind => [kind, counts.get(entry.url)?.kinds.get(kind) ?? 0])),
          podcast: described(entry),
        })),
      }
    },

    /** Describes a subscription. */
    podcastData(request: SyncRequest) {
      const url = request.query.get('url') ?? ''
      if (!sync.subscriptions.list(request.user).includes(url)) throw new SyncRefusal(404, 'No such subscription')
      return { data: described(entriesOf(request, [url])[0]!) }
    },
  }
}

function present({ podcast, episode, guid, action, at, started, position, total }: SentAction) {
  return {
    podcast,
    episode,
    guid: guid ?? '',
    action: 'PLAY',
    timestamp: presentTime(at),
    started: action === 'new' ? 0 : (started ?? -1),
    position: action === 'new' ? 0 : (position ?? -1),
    total: total ?? -1,
  }
}
