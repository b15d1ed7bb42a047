import { signal } from '@preact/signals-core'
import { expect, test } from 'bun:test'
import type { Notification } from '../../../src/shared/api/notification'
import type { ServerEvents } from '../../../src/shared/server-event'
import { createEpisodeChanges } from '../../../src/ui/state/episode-changes'
import { createLiveDownloads, createNotifications, createRoomState } from '../../../src/ui/state/live-state'
import { connectSocket, createLive, type EventHandlers } from '../../../src/ui/state/live'
import { createCalls, settled } from '../../support/settled'

/** Sockets that the test opens and closes, and timers that it fires. */
function createNetwork() {
  const sockets: WebSocket[] = []
  const timers: { work: () => void; ms: number }[] = []
  return {
    sockets,
    timers,
    open: () => {
      const socket = {} as WebSocket
      sockets.push(socket)
      return socket
    },
    later: (work: () => void, ms: number) => void timers.push({ work, ms }),
    last: () => sockets.at(-1)!,
    async close(code: number) {
      this.last().onclose!({ code } as CloseEvent)
      await settled()
    },
    async fireLastTimer() {
      timers.at(-1)!.work()
      await settled()
    },
  }
}

function startSocket({ isConfirmed = true } = {}) {
  const network = createNetwork()
  const log: string[] = []
  const server = { isConfirmed }
  const { isConnected } = connectSocket({
    address: 'ws://localhost/ws',
    handlers: { queueChanged: ({ version }) => void log.push(`queue ${version}`) } as EventHandlers,
    onConnect: () => void log.push('connected'),
    confirm: async () => {
      log.push('confirm')
      return server.isConfirmed
    },
    open: network.open,
    later: network.later,
  })
  return { network, log, isConnected, server }
}

test('events reach their handlers, and an event of an unknown type is ignored', () => {
  const { network, log } = startSocket()
  network.last().onopen!({} as Event)
  for (const event of [{ type: 'queueChanged', version: 3 }, { type: 'somethingNew' }])
    network.last().onmessage!({ data: JSON.stringify(event) } as MessageEvent)
  expect(log).toEqual(['connected', 'queue 3'])
})

test('a closed socket is reopened after growing delays, which start again at one second once it has been open', async () => {
  const { network, isConnected } = startSocket()
  for (let turn = 0; turn < 7; turn++) {
    await network.close(1006)
    expect(isConnected.value).toBe(false)
    await network.fireLastTimer()
  }
  expect(network.timers.map(({ ms }) => ms)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  network.last().onopen!({} as Event)
  expect(isConnected.value).toBe(true)
  await network.close(1006)
  expect(network.timers.at(-1)!.ms).toBe(1000)
})

test('a socket is reopened only after the sign-in is confirmed', async () => {
  const { network, log, server } = startSocket({ isConfirmed: false })
  await network.close(1006)
  await network.fireLastTimer()
  expect([network.sockets.length, log]).toEqual([1, ['confirm']])
  server.isConfirmed = true
  await network.fireLastTimer()
  expect(network.sockets.length).toBe(2)
})

test('a socket that closes because the sign-in has ended is replaced at once', async () => {
  const { network, log, isConnected } = startSocket()
  await network.close(4401)
  expect([network.timers.length, network.sockets.length, log, isConnected.value]).toEqual([0, 2, ['confirm'], true])
})

/** The shared state, with a log of everything that is loaded or reported. */
function startLive(room = createRoomState()) {
  const log: string[] = []
  const note =
    (name: string) =>
    async (...args: unknown[]) =>
      void log.push([name, ...args.map(arg => JSON.stringify(arg))].join(' '))
  const part = (name: string, ...commands: string[]) =>
    Object.fromEntries(['load', ...commands].map(command => [command, note(`${name}.${command}`)])) as never
  const isConnected = signal(true)
  const timers: (() => void)[] = []
  let socket: Parameters<typeof connectSocket>[0] | null = null
  const live = createLive({
    session: { config: signal({ wsUrl: 'ws://localhost/ws' }), confirm: async () => true } as never,
    library: part('library', 'merge', 'refreshed', 'removed', 'countNew'),
    feedChecks: part('feedChecks', 'note'),
    downloads: part('downloads', 'progressed'),
    transcriptions: part('transcriptions', 'progressed', 'missed'),
    changes: part('changes', 'all', 'added', 'changed', 'edited', 'played', 'marked', 'hidden', 'listed'),
    queue: part('queue', 'changed'),
    notifications: part('notifications', 'arrived'),
    editImport: edit => edit(part('opml', 'added', 'failed', 'progressed')),
    moving: part('moving', 'changed'),
    room,
    onMarks: note('marks.changed') as never,
    onConnect: () => void log.push('connected'),
    whenIdle: async () => undefined,
    later: work => void timers.push(work),
    connect: needs => {
      socket = needs
      return { isConnected }
    },
  })
  live.start()
  return { live, log, isConnected, timers, socket: () => socket! }
}

test('a disk that was full is no news after a new connection, until the server says so again', () => {
  const room = createRoomState()
  room.changed({ isFull: true, disk: { folder: '/data', freeBytes: 0 } })
  expect(room.shortage.value).toMatchObject({ disk: { folder: '/data' } })
  const { socket } = startLive(room)
  socket().onConnect()
  expect(room.shortage.value).toBeNull()
  socket().handlers.roomChanged({ isFull: true, disk: null })
  expect(room.shortage.value).toMatchObject({ isFull: true })
  socket().handlers.roomChanged({ isFull: false, disk: null })
  expect(room.shortage.value).toBeNull()
})

const loads = ['queue.load', 'notifications.load', 'library.load', 'downloads.load']

test('the shared state is loaded at once, and again when the socket opens', async () => {
  const { log, socket } = startLive()
  expect(log).toEqual(loads)
  log.length = 0
  socket().onConnect()
  // Not before the first answers.
  expect(log).toEqual(['connected'])
  await settled()
  expect(log).toEqual(['connected', ...loads])
})

test('after a gap every list is loaded again', async () => {
  const { log, socket, isConnected } = startLive()
  socket().onConnect()
  await settled()
  isConnected.value = false
  log.length = 0
  isConnected.value = true
  socket().onConnect()
  await settled()
  expect(log).toEqual(['changes.all', 'transcriptions.missed', 'connected', ...loads])
})

test('episodes that another tab marked, in however many pieces, are one reason to load every list again', () => {
  const { log, socket, timers } = startLive()
  log.length = 0
  const mark = (...ids: string[]) => socket().handlers.episodesMarked({ episode_ids: ids } as never)
  mark('a')
  mark('b')
  expect(log).toEqual(['changes.marked ["a"]', 'changes.marked ["b"]'])
  timers.splice(0).forEach(fire => fire())
  expect(log.slice(2)).toEqual(['changes.all', 'library.load'])
  mark('c')
  timers.splice(0).forEach(fire => fire())
  expect(log.slice(5)).toEqual(['changes.all', 'library.load'])
})

test('episodes that a feed edited are loaded again, of one podcast alone or of several together', () => {
  const { log, socket, timers } = startLive()
  const edit = (id: string) => socket().handlers.refreshedPodcast({ podcast: { id }, updated: 1 } as never)
  const reloads = () => log.splice(0).filter(line => line.startsWith('changes'))
  edit('a')
  edit('a')
  expect(reloads()).toEqual([])
  timers.splice(0).forEach(fire => fire())
  expect(reloads()).toEqual(['changes.added "a"'])
  edit('a')
  edit('b')
  timers.splice(0).forEach(fire => fire())
  expect(reloads()).toEqual(['changes.all'])
})

test('the connection state of the socket is passed on', () => {
  const { live, isConnected } = startLive()
  isConnected.value = false
  expect(live.isConnected.value).toBe(false)
})

test('every event is passed to the parts that it concerns', () => {
  const { log, socket } = startLive()
  const { handlers } = socket()
  const podcast = { id: 'p' }
  const handle = (type: keyof EventHandlers, event: object) => {
    log.length = 0
    ;(handlers[type] as (event: object) => void)(event)
    return log.map(line => line.split(' ')[0])
  }
  expect(handle('addedPodcast', { podcast })).toEqual(['library.merge', 'changes.added'])
  expect(handle('podcastRemoved', { id: 'p' })).toEqual(['library.removed', 'transcriptions.missed', 'downloads.load'])
  expect(handle('addedEpisodes', { podcast })).toEqual(['library.merge', 'changes.added'])
  expect(handle('refreshedPodcast', { podcast, updated: 0 })).toEqual(['library.refreshed', 'feedChecks.note'])
  expect(handle('missed', {})).toEqual(['changes.all'])
  expect(handle('offlineAvailable', {})).toEqual(['changes.changed'])
  expect(handle('deletedPodcastEpisodeLocally', {})).toEqual(['changes.changed'])
  expect(handle('downloadProgress', {})).toEqual(['downloads.progressed'])
  expect(handle('progress', {})).toEqual(['changes.played'])
  expect(handle('progress', { podcast_id: 'p', new_count: 1 })).toEqual(['changes.played', 'library.countNew'])
  expect(handle('episodeHidden', {})).toEqual(['changes.hidden'])
  expect(handle('playlistChanged', { id: 'l' })).toEqual(['changes.listed'])
  expect(handle('bookmarksChanged', {})).toEqual(['changes.listed'])
  expect(handle('opmlAdded', { podcast })).toEqual(['library.merge', 'opml.added'])
  expect(handle('opmlError', {})).toEqual(['opml.failed'])
  expect(handle('opmlProgress', {})).toEqual(['opml.progressed'])
  expect(handle('notification', {})).toEqual(['notifications.arrived'])
  expect(handle('skipMarksChanged', { id: 'e' })).toEqual(['marks.changed'])
  expect(handle('queueChanged', { version: 2 })).toEqual(['queue.changed'])
})

const wrapper = (id: string, podcastHistoryItem: object | null = null) =>
  ({ podcastEpisode: { id, episode_id: `eid-${id}`, url: 'u', guid: 'g', name: 'old' }, podcastHistoryItem }) as never

/** Two rows on the screen, which follow the changes. */
function startChanges() {
  const changes = createEpisodeChanges()
  let rows: { podcastEpisode: object; podcastHistoryItem: object | null }[] = [
    wrapper('a'),
    wrapper('b', { podcast: 'p', position: 1 }),
  ]
  const stale: (string | null)[] = []
  const end = changes.listen({
    edit: change => (rows = rows.map(row => change(row as never))),
    stale: podcastId => void stale.push(podcastId),
  })
  return { changes, stale, end, rows: () => rows }
}

test('an event changes the row of its episode, and no other', () => {
  const { changes, rows } = startChanges()
  const [, other] = rows()
  changes.changed({ id: 'a', name: 'new' } as never)
  expect(rows()[0]!.podcastEpisode).toMatchObject({ name: 'new', guid: 'g' })
  expect(rows()[1]).toBe(other!)
})

test('an edit made on this page changes the row, too', () => {
  const { changes, rows } = startChanges()
  changes.edited('b', episode => ({ ...episode, favored: true }))
  expect(rows().map(({ podcastEpisode }) => 'favored' in podcastEpisode)).toEqual([false, true])
})

test('progress is shown on episodes with a history and without one', () => {
  const { changes, rows } = startChanges()
  for (const id of ['a', 'b'])
    changes.played({ episode_id: `eid-${id}`, position: 30, total: 60, finished: false, device: 'phone' } as never)
  expect(rows().map(({ podcastHistoryItem }) => podcastHistoryItem)).toMatchObject([
    { position: 30, total: 60, device: 'phone', action: 'play', episode: 'u', guid: 'g' },
    { position: 30, total: 60, device: 'phone', podcast: 'p' },
  ])
})

test('changes of playlists and bookmarks reach those who listen, and nobody later', () => {
  const { changes } = startChanges()
  const heard: (string | null)[] = []
  const end = changes.listenToLists(playlist => void heard.push(playlist))
  changes.listed('l')
  changes.listed(null)
  end()
  changes.listed('l')
  expect(heard).toEqual(['l', null])
})

test('lists are marked as stale, for one podcast or for all, only while they are on the screen', () => {
  const { changes, stale, end } = startChanges()
  changes.added('p')
  changes.all()
  end()
  changes.all()
  expect(stale).toEqual(['p', null])
})

test('a download or a notification that is newer than the answer being fetched stays', async () => {
  const pages = createCalls<[], { data: { items: never[]; counts: { failed: number } } }>()
  const lists = createCalls<[], Notification[]>()
  const downloads = createLiveDownloads({ page: pages.call } as never)
  const notifications = createNotifications({ unread: lists.call } as never, new Map() as never)
  const loads = [downloads.load(), notifications.load()]
  const waiting = { episode_id: 'fog', state: 'waiting' } as ServerEvents['downloadProgress']
  downloads.progressed({ ...waiting, episode_id: 'rain' })
  downloads.progressed(waiting)
  downloads.progressed({ ...waiting, episode_id: 'rain', state: 'done' })
  notifications.arrived({ id: 'new' } as Notification)
  await pages.answer({ data: { items: [], counts: { failed: 0 } } })
  await lists.answer([{ id: 'old' } as Notification])
  await Promise.all(loads)
  expect([...downloads.byEpisode.value.keys()]).toEqual(['fog'])
  expect(notifications.all.value.map(({ id }) => id)).toEqual(['new', 'old'])
})
