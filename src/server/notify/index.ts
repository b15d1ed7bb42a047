import { createDestinations, type Destinations } from './destinations'
import { type Clock, DAY } from '../platform/clock'
import type { Listeners, Publish } from '../platform/events'
import type { Store } from '../store'
import type { DueNotice, FailingFeed, ServerTroubleKind } from '../store/notifications'
import { cutTitle, MAX_NAMED, type News, type FeedFacts } from './news'

type Needs = Parameters<typeof createDestinations>[0] &
  Omit<Parameters<typeof createNotifications>[0], 'destinations'> &
  Omit<Parameters<typeof createTroubles>[0], 'destinations'>

/** Creates everything that sends people the news: the bell, and destinations elsewhere. */
export function createNotify(needs: Needs) {
  const destinations = createDestinations(needs)
  const notifications = createNotifications({ ...needs, destinations })
  const troubles = createTroubles({ ...needs, destinations })
  return { destinations, notifications, troubles }
}

const DISMISSED_MS = 30 * DAY

type NoticeNeeds = { store: Store; destinations: Pick<Destinations, 'record'>; publish: Publish; now: Clock }

/**
 * Notifies users of a new episode, if they added its podcast or made it a favourite; of a download that they asked for,
 * when it ends; and of a live stream, when it begins. Notifies admins of a failed download, once per episode. An
 * episode that is downloaded automatically counts as new when its file has arrived, any other when it is published.
 * Each notice is sent to the bell and to the destinations of its user.
 *
 * Rows hold what nobody was notified of yet; events only trigger a check of these rows.
 */
function createNotifications({ store, destinations, publish, now }: NoticeNeeds) {
  const sendLive = createLiveNotices({ store, destinations, publish, now })

  function add(due: DueNotice) {
    if (store.destinations.listOpen(due.userId).length > 0) destinations.record(due.userId, newsOf(store, due))
    const { isNew: _, episodeIds: __, ...notice } = due
    return { userId: due.userId, notificationId: store.notifications.add(notice, now()) }
  }

  function sendDue() {
    if (!store.announcements.isDue()) return
    const added = store.inTransaction(() => {
      const due = store.announcements.listDue()
      store.announcements.markNotified()
      return due.map(add)
    })
    for (const notification of added) publish({ type: 'notification', ...notification })
  }

  return {
    sendDue() {
      sendLive()
      sendDue()
    },
    /** Once at the start, before any refresh: marks the episodes that a killed process had stored without a notice. */
    recover: () => store.inTransaction(() => store.announcements.markPublished(null)),
    listeners: {
      feedApplied: sendLive,
      addedEpisodes: sendDue,
      downloadFinished: sendDue,
      downloadProgress({ state }) {
        if (state === 'failed' || state === 'cancelled') sendDue()
      },
    } satisfies Listeners,
    /** Deletes dismissed notices after 30 days. */
    removeOld: () => store.inPieces(most => store.notifications.removeDismissed(now() - DISMISSED_MS, most)),
  }
}

type EpisodeNews = Extract<News, { facts: { episodeCount: number } }>

/** Writes a notice as news for destinations, with the newest of its episodes by name. */
function newsOf(store: Store, { type, isNew, podcastTitle, episodeCount, episodeIds }: DueNotice): EpisodeNews {
  const ids = (JSON.parse(episodeIds) as number[]).sort((one, other) => other - one).slice(0, MAX_NAMED)
  const rows = store.episodes.listByIds(ids).toSorted((one, other) => other.id - one.id)
  const id = rows[0]?.podcast_uuid ?? ''
  const title = cutTitle(podcastTitle)
  return {
    types: typesOf(type, isNew === 1),
    facts: {
      episodeCount,
      podcastCount: 1,
      podcasts: [{ id, title, episodeCount }],
      episodes: rows.map(row => ({ id: row.uuid, title: cutTitle(row.title), podcastId: id, podcastTitle: title })),
    },
  }
}

/** An automatic download is how a new episode arrives: those who want to know of either are notified once. */
function typesOf(type: DueNotice['type'], isNew: boolean): EpisodeNews['types'] {
  if (type === 'NewEpisodes') return ['newEpisodes']
  if (type === 'Download') return isNew ? ['newEpisodes', 'downloadFinished'] : ['downloadFinished']
  return isNew ? ['downloadFailed', 'newEpisodes'] : ['downloadFailed']
}

/** Returns what notifies those who added a podcast, or made it a favourite, that a live stream of it has begun. */
const createLiveNotices =
  ({ store, destinations, publish, now }: NoticeNeeds) =>
  () => {
    if (!store.liveNotices.isDue()) return
    const added = store.inTransaction(() => {
      const due = store.liveNotices.listDue()
      store.liveNotices.markNotified()
      return due.map(({ userId, podcastId, podcastUuid, podcastTitle, title }) => {
        const stream = { podcastId: podcastUuid, podcastTitle: cutTitle(podcastTitle), title: cutTitle(title) }
        if (store.destinations.listOpen(userId).length > 0)
          destinations.record(userId, { types: ['liveStarted'], facts: stream })
        return { userId, notificationId: store.notifications.addLive(userId, podcastId, title || podcastTitle, now()) }
      })
    })
    for (const notification of added) publish({ type: 'notification', ...notification })
  }

type TroubleNeeds = {
  store: Store
  destinations: Pick<Destinations, 'record'>
  publish: Publish
  now: Clock
  /** Free bytes on the disk of the media folder. Throws if the folder can't be reached. */
  freeBytes: () => Promise<number>
  reserveBytes: number
}

/** A host may be down for a night. */
const FAILING_MS = DAY
/** The factor above the reserve at which the disk no longer counts as full: at the limit itself it would flap. */
const RELIEF = 1.1

/**
 * Notifies people of lasting troubles, once each until it is over: everybody who added or favours a podcast when its
 * feed has failed for a day, and admins of those of the server. Rows hold what was reported.
 */
function createTroubles(needs: TroubleNeeds) {
  const { store, destinations, publish, now } = needs

  function notifyOfFeeds() {
    const before = now() - FAILING_MS
    const reported = store.inTransaction(() => {
      const due = store.troubles.unreportedFeeds(before)
      if (due.length === 0) return []
      store.troubles.noteFeeds(before)
      for (const [userId, feeds] of Map.groupBy(due, ({ userId }) => userId))
        destinations.record(userId, { types: ['feedFailing'], facts: factsOf(feeds) })
      return due
    })
    for (const podcastId of new Set(reported.map(({ podcastId }) => podcastId)))
      publish({ type: 'feedFailing', podcastId })
  }

  function notifyAdmins(kind: ServerTroubleKind, news: News) {
    store.inTransaction(() => {
      if (!store.troubles.begin(kind, now())) return
      for (const { id } of store.users.listAdmins()) destinations.record(id, news)
    })
  }

  const notifyOfDisk = (freeBytes: number | null) =>
    notifyAdmins('diskFull', { types: ['diskFull'], facts: { freeBytes } })

  /** Notifies the owner of an account and the admins, once a day, that somebody guesses at its password. */
  function notifyOfAttack(name: string, failures: number) {
    const owner = store.users.findByName(name)
    // Names without an account are guessed at all the time.
    if (!owner) return
    const { username } = owner
    const ids = new Set([owner.id, ...store.users.listAdmins().map(({ id }) => id)])
    const added = store.inTransaction(() =>
      [...ids].flatMap(userId => {
        const notificationId = store.notifications.addAttack(userId, username, now() - DAY, now())
        if (notificationId === null) return []
        destinations.record(userId, { types: ['accountAttacked'], facts: { username, failures } })
        return [{ userId, notificationId }]
      }),
    )
    for (const notice of added) publish({ type: 'notification', ...notice })
  }

  /** The trouble lasts while a download waits for room, even if the disk has enough for smaller ones. */
  async function checkDisk() {
    const free = await needs.freeBytes().catch(() => null)
    await store.whenWritable()
    if (store.troubles.isDownloadStuck() || (free !== null && free <= needs.reserveBytes)) notifyOfDisk(free)
    else if (free !== null && free > needs.reserveBytes * RELIEF) store.troubles.end('diskFull')
  }

  return {
    /** Finds troubles that began, and those that are over. */
    async check() {
      notifyOfFeeds()
      await checkDisk()
    },
    listeners: {
      accountAttacked: ({ name, failures }) => store.write(() => notifyOfAttack(name, failures)),
      diskFull: ({ freeBytes }) => store.write(() => notifyOfDisk(freeBytes)),
      backupFailed: ({ reason }) =>
        store.write(() => notifyAdmins('backupFailed', { types: ['backupFailed'], facts: { reason } })),
      backupMade: () => store.write(() => store.troubles.end('backupFailed')),
    } satisfies Listeners,
  }
}

const factsOf = (feeds: readonly FailingFeed[]): FeedFacts => ({
  feedCount: feeds.length,
  feeds: feeds.slice(0, MAX_NAMED).map(({ podcastUuid, podcastTitle, since, message }) => ({
    podcastId: podcastUuid,
    title: cutTitle(podcastTitle),
    since,
    reason: cutTitle(message),
  })),
})
