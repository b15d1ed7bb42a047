import type { Destinations } from './destinations'
import { cutTitle, type FeedFacts, MAX_NAMED, type News } from './news'
import { type Clock, DAY } from '../platform/clock'
import type { Listeners, Publish } from '../platform/events'
import type { Store } from '../store'
import type { FailingFeed, ServerTroubleKind } from '../store/notifications'

type Needs = {
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
export function createTroubles(needs: Needs) {
  const { store, destinations, publish, now } = needs

  function tellOfFeeds() {
    const before = now() - FAILING_MS
    const told = store.inTransaction(() => {
      const due = store.troubles.feedsToTell(before)
      if (due.length === 0) return []
      store.troubles.noteFeeds(before)
      for (const [userId, feeds] of Map.groupBy(due, ({ userId }) => userId))
        destinations.record(userId, { types: ['feedFailing'], facts: factsOf(feeds) })
      return due
    })
    for (const podcastId of new Set(told.map(({ podcastId }) => podcastId))) publish({ type: 'feedFailing', podcastId })
  }

  function tellAdmins(kind: ServerTroubleKind, news: News) {
    store.inTransaction(() => {
      if (!store.troubles.begin(kind, now())) return
      for (const { id } of store.users.listAdmins()) destinations.record(id, news)
    })
  }

  const tellOfDisk = (freeBytes: number | null) => tellAdmins('diskFull', { types: ['diskFull'], facts: { freeBytes } })

  /** Notifies the owner of an account and the admins, once a day, that somebody guesses at its password. */
  function tellOfAttack(name: string, failures: number) {
    const owner = store.users.findByName(name)
    // Names without an account are guessed at all the time.
    if (!owner) return
    const { username } = owner
    const ids = new Set([owner.id, ...store.users.listAdmins().map(({ id }) => id)])
    const told = store.inTransaction(() =>
      [...ids].flatMap(userId => {
        const notificationId = store.notifications.addAttack(userId, username, now() - DAY, now())
        if (notificationId === null) return []
        destinations.record(userId, { types: ['accountAttacked'], facts: { username, failures } })
        return [{ userId, notificationId }]
      }),
    )
    for (const notice of told) publish({ type: 'notification', ...notice })
  }

  /** The trouble lasts while a download waits for room, even if the disk has enough for smaller ones. */
  async function checkDisk() {
    const free = await needs.freeBytes().catch(() => null)
    await store.whenWritable()
    if (store.troubles.isDownloadStuck() || (free !== null && free <= needs.reserveBytes)) tellOfDisk(free)
    else if (free !== null && free > needs.reserveBytes * RELIEF) store.troubles.end('diskFull')
  }

  return {
    /** Finds troubles that began, and those that are over. */
    async check() {
      tellOfFeeds()
      await checkDisk()
    },
    listeners: {
      accountAttacked: ({ name, failures }) => store.write(() => tellOfAttack(name, failures)),
      diskFull: ({ freeBytes }) => store.write(() => tellOfDisk(freeBytes)),
      backupFailed: ({ reason }) =>
        store.write(() => tellAdmins('backupFailed', { types: ['backupFailed'], facts: { reason } })),
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
