import { computed, type ReadonlySignal, signal } from '@preact/signals-core'
import type { Notification } from '../../shared/api/notification'
import type { FeedCheck } from '../../shared/api/podcast'
import type { ServerEvents } from '../../shared/server-event'
import type { Api } from '../api'

export type LiveDownload = Omit<ServerEvents['downloadProgress'], 'episode_id'>
export type LiveDownloads = ReturnType<typeof createLiveDownloads>

const active = new Set<LiveDownload['state']>(['running', 'queued', 'waiting'])

/**
 * Applies events to a list at once, and again to each answer that was asked for before they arrived: it may be older
 * than they are.
 */
function createReplay<Event>(apply: (event: Event) => void) {
  const loads = new Set<Event[]>()
  return {
    arrived(event: Event) {
      for (const events of loads) events.push(event)
      apply(event)
    },
    /** `load` fetches and replaces the whole list. */
    async around(load: () => Promise<void>) {
      const events: Event[] = []
      loads.add(events)
      try {
        await load()
        events.forEach(apply)
      } finally {
        loads.delete(events)
      }
    },
  }
}

/**
 * The progress of downloads, by `episode_id`, and the causes of those that failed, for the rows and the count of the
 * top bar.
 */
export function createLiveDownloads(api: Api['downloads']) {
  const byEpisode = signal<ReadonlyMap<string, LiveDownload>>(new Map())
  const countOf = (isMeant: (live: LiveDownload) => boolean) =>
    computed(() => [...byEpisode.value.values()].filter(isMeant).length)
  const events = createReplay(({ episode_id, ...live }: ServerEvents['downloadProgress']) => {
    const next = new Map(byEpisode.value)
    if (live.state === 'done' || live.state === 'cancelled') next.delete(episode_id)
    else next.set(episode_id, live)
    byEpisode.value = next
  })
  async function load() {
    const { items, counts } = (await api.page(null, 200)).data
    const shown = items.filter(({ state }) => state === 'failed').length
    // They are last, possibly after a long queue.
    const failed = counts.failed > shown ? (await api.page(null, 200, 'failed')).data.items : []
    byEpisode.value = new Map(
      [...failed, ...items].map(item => [item.episode_id, { ...item, bytesPerSecond: item.bytesPerSecond ?? 0 }]),
    )
  }
  return {
    byEpisode,
    activeCount: countOf(({ state }) => active.has(state)),
    /** Downloads that need a person. */
    failedCount: countOf(({ state }) => state === 'failed'),
    load: () => events.around(load),
    progressed: events.arrived,
  }
}

export type LiveTranscription = ServerEvents['transcriptionProgress']
export type LiveTranscriptions = ReturnType<typeof createLiveTranscriptions>

/** The latest event of each transcription since the page was opened, by the `id` of its episode. */
export function createLiveTranscriptions() {
  const byEpisode = signal<ReadonlyMap<string, LiveTranscription>>(new Map())
  const gaps = signal(0)
  return {
    byEpisode,
    /** The number of times that events may have been missed: then a page that shows a transcription loads it again. */
    gaps,
    missed() {
      byEpisode.value = new Map([...byEpisode.value].filter(([, { state }]) => state === 'done'))
      gaps.value++
    },
    progressed(event: LiveTranscription) {
      byEpisode.value = new Map(byEpisode.value).set(event.episodeId, event)
    },
  }
}

export type FeedChecks = ReturnType<typeof createFeedChecks>

/** When the feeds were checked and will be, by podcast: for the pages that show it. */
export function createFeedChecks(api: Pick<Api['podcasts'], 'checks'>) {
  const byId = signal<ReadonlyMap<string, FeedCheck>>(new Map())
  return {
    byId,
    async load() {
      byId.value = new Map((await api.checks()).map(check => [check.id, check]))
    },
    note({ id, last_checked_at, next_check_at }: FeedCheck) {
      byId.value = new Map(byId.peek()).set(id, { id, last_checked_at, next_check_at })
    },
  }
}

export type Moving = ReturnType<typeof createMoving>

/**
 * The state of moves from other programs that every page shares: a file that was dropped on it, and events of the
 * server.
 */
export function createMoving() {
  const dropped = signal<File | null>(null)
  const news = signal(0)
  return {
    /** A file that waits for the page that uploads it; `claim` hands it over once. */
    dropped: dropped as ReadonlySignal<File | null>,
    drop(file: File) {
      dropped.value = file
    },
    claim(): File | null {
      const file = dropped.peek()
      dropped.value = null
      return file
    },
    /** Grows whenever a move progressed. */
    news,
    changed() {
      news.value++
    },
  }
}

export type RoomState = ReturnType<typeof createRoomState>

/** Holds the server's message about a full disk; null = there is room. */
export function createRoomState() {
  const shortage = signal<ServerEvents['roomChanged'] | null>(null)
  return {
    shortage,
    changed(event: ServerEvents['roomChanged']) {
      shortage.value = event.isFull ? event : null
    },
    /** A new connection begins: the server says at once if its disk is full. */
    missed() {
      shortage.value = null
    },
  }
}

const KEY = 'notifications.seen'

/** The unread notifications, newest first. This browser remembers up to which time they were seen. */
export function createNotifications(api: Api['notifications'], storage: Pick<Storage, 'getItem' | 'setItem'>) {
  const all = signal<readonly Notification[]>([])
  const without = (id: string) => all.value.filter(notification => notification.id !== id)
  const events = createReplay((notification: Notification) => {
    all.value = [notification, ...without(notification.id)]
  })

  return {
    all,
    load: () =>
      events.around(async () => {
        all.value = await api.unread()
      }),
    arrived: events.arrived,
    /** Returns the time of the newest one that was seen, '' before the first. */
    seenUntil: () => storage.getItem(KEY) ?? '',
    /** Marks those that are shown as seen. */
    markSeen() {
      const [newest] = all.value
        .map(({ createdAt }) => createdAt)
        .toSorted()
        .reverse()
      if (newest) storage.setItem(KEY, newest)
    },
    /** Dismisses a notification. It is shown until the server has confirmed that. */
    async dismiss(id: string) {
      await api.dismiss(id)
      all.value = without(id)
    },
    /** Dismisses all that are shown; one that arrives in the meantime stays. */
    async clear() {
      const dismissed = all.value
      await Promise.all(dismissed.map(({ id }) => api.dismiss(id)))
      all.value = all.value.filter(notification => !dismissed.includes(notification))
    },
  }
}
export type Notifications = ReturnType<typeof createNotifications>
