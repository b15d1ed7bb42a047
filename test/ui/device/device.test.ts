import { signal } from '@preact/signals-core'
import { afterEach, expect, test } from 'bun:test'
import { fetchInto } from '../../../src/ui/device/fetch-into'
import { announceToSystem, playInOneTab } from '../../../src/ui/device/media-session'
import { createPlaces } from '../../../src/ui/device/places'

/** A window that remembers where it was scrolled to, and whose frames the test draws. */
function createWindow() {
  const listeners = new Map<string, (() => void)[]>()
  const frames: (() => void)[] = []
  const window = {
    scrollY: 0,
    /** The height to which the page can be scrolled, in pixels: a list may still be on its way. */
    height: 10_000,
    history: { scrollRestoration: 'auto' },
    location: { pathname: '/a', search: '' },
    addEventListener: (type: string, listener: () => void) =>
      void listeners.set(type, [...(listeners.get(type) ?? []), listener]),
    scrollTo: (_x: number, y: number) => {
      window.scrollY = Math.min(y, window.height)
      window.fire('scroll')
    },
    requestAnimationFrame: (frame: () => void) => frames.push(frame),
    fire: (type: string) => listeners.get(type)?.forEach(listener => listener()),
    drawFrame: () => frames.splice(0).forEach(frame => frame()),
  }
  const places = createPlaces(window as never)
  return {
    window,
    places,
    go(pathname: string) {
      window.location.pathname = pathname
      places.arrive()
    },
    back(pathname: string) {
      window.location.pathname = pathname
      window.fire('popstate')
    },
  }
}

test('a new page is shown from its top', () => {
  const { window, places, go } = createWindow()
  places.arrive()
  window.scrollTo(0, 500)
  go('/b')
  expect([window.scrollY, window.history.scrollRestoration]).toEqual([0, 'manual'])
})

test('going back finds the place and the lists of the page as they were, and going on does not', () => {
  const { window, places, go, back } = createWindow()
  places.arrive()
  places.remember('episodes', ['a', 'b'])
  window.scrollTo(0, 500)
  go('/b')
  expect(places.remembered('episodes')).toBeUndefined()
  back('/a')
  expect(places.remembered<string[]>('episodes')).toEqual(['a', 'b'])
  places.arrive()
  expect(window.scrollY).toBe(500)
  expect(places.remembered('episodes')).toBeUndefined()
})

test('a place is sought until the page is long enough for it, and not against the reader', () => {
  const { window, places, go, back } = createWindow()
  places.arrive()
  window.scrollTo(0, 500)
  go('/b')
  back('/a')
  window.height = 100
  places.arrive()
  expect(window.scrollY).toBe(100)
  window.height = 10_000
  window.drawFrame()
  expect(window.scrollY).toBe(500)

  go('/b')
  back('/a')
  window.height = 100
  places.arrive()
  window.fire('wheel')
  window.height = 10_000
  window.drawFrame()
  expect(window.scrollY).toBe(100)
})

test('a page that is left before it was long enough is found at its old place all the same', () => {
  const { window, places, go, back } = createWindow()
  places.arrive()
  window.scrollTo(0, 500)
  go('/b')
  for (const height of [100, 10_000]) {
    back('/a')
    window.height = height
    places.arrive()
    if (height === 100) go('/b')
  }
  expect(window.scrollY).toBe(500)
})

test('going back within a page is no way back to it', () => {
  const { window, places, back } = createWindow()
  places.arrive()
  window.scrollTo(0, 500)
  back('/a')
  places.arrive()
  expect(window.scrollY).toBe(0)
})

test('the places of the last thirty pages are remembered', () => {
  const { places, go, back } = createWindow()
  for (let page = 0; page <= 30; page++) {
    go(`/${page}`)
    places.remember('list', page)
  }
  back('/1')
  expect(places.remembered<number>('list')).toBe(1)
  back('/0')
  expect(places.remembered('list')).toBeUndefined()
  // Page 1 was visited again just now, and page 3 was not.
  go('/31')
  go('/32')
  back('/1')
  expect(places.remembered<number>('list')).toBe(1)
  back('/3')
  expect(places.remembered('list')).toBeUndefined()
})

/** A player whose signals the test sets, and a media session that notes what is shown. */
function startSession() {
  function MediaMetadata(this: object, content: object) {
    Object.assign(this, content)
  }
  Object.assign(globalThis, { MediaMetadata })
  const log: string[] = []
  const note = (name: string) => (value?: unknown) =>
    void log.push(value === undefined ? name : `${name} ${String(value)}`)
  const player = {
    current: signal<{ episode: { name: string; local_image_url: string }; podcastName: string } | null>(null),
    isPlaying: signal(false),
    position: signal(0),
    duration: signal(0),
    rate: signal(1),
    resume: async () => void log.push('resume'),
    pause: note('pause'),
    skip: note('skip'),
    skipBack: note('skip back'),
    skipForward: note('skip forward'),
    seek: note('seek'),
  }
  const handlers = new Map<string, ((details: object) => void) | null>()
  const session = {
    metadata: null as { title: string; artist: string; artwork: { src: string }[] } | null,
    playbackState: 'none',
    position: null as object | null,
    setActionHandler(action: string, handler: (details: object) => void) {
      if (action === 'previoustrack') throw new TypeError('unknown action')
      handlers.set(action, handler)
    },
    setPositionState: (state: object | null = null) => (session.position = state),
  }
  const end = announceToSystem(player, session as never, () => void log.push('next'))
  return { player, session, handlers, log, end }
}
afterEach(() => void Reflect.deleteProperty(globalThis, 'MediaMetadata'))

test('the system shows what plays, how far it is, and nothing once it is over', () => {
  const { player, session } = startSession()
  expect([session.metadata, session.playbackState, session.position]).toEqual([null, 'none', null])
  player.current.value = { episode: { name: 'Fog', local_image_url: '/cover' }, podcastName: 'Pod' }
  player.duration.value = 600
  player.position.value = 700
  player.isPlaying.value = true
  expect(session.metadata).toMatchObject({ title: 'Fog', artist: 'Pod', artwork: [{ src: '/cover?size=256' }, {}] })
  expect([session.playbackState, session.position]).toEqual([
    'playing',
    { duration: 600, position: 600, playbackRate: 1 },
  ])
  player.isPlaying.value = false
  expect(session.playbackState).toBe('paused')
  player.current.value = null
  expect([session.metadata, session.playbackState]).toEqual([null, 'none'])
})

test('the buttons of the system do what they say, also in a browser that lacks one of them', () => {
  const { handlers, log } = startSession()
  const press = (action: string, details = {}) => handlers.get(action)!(details)
  for (const action of ['play', 'pause', 'nexttrack', 'seekbackward', 'seekforward']) press(action)
  press('seekbackward', { seekOffset: 10 })
  press('seekforward', { seekOffset: 10 })
  press('seekto', { seekTime: 42 })
  press('seekto')
  expect(log).toEqual(['resume', 'pause', 'next', 'skip back', 'skip forward', 'skip -10', 'skip 10', 'seek 42'])
})

test('the system is left alone once that is ended', () => {
  const { player, session, handlers, end } = startSession()
  end()
  player.current.value = { episode: { name: 'Fog', local_image_url: '/cover' }, podcastName: 'Pod' }
  expect([session.metadata, [...handlers.values()].every(handler => handler === null)]).toEqual([null, true])
})

test('a tab that begins to play pauses the others, and continues where one of them was further', () => {
  const listeners: ((event: { data: unknown }) => void)[] = []
  const open = (id: string, position: number) => {
    const player = {
      current: signal({ episode: { id } }),
      position: signal(position),
      isPlaying: signal(false),
      pause: () => (player.isPlaying.value = false),
      continueAt: (seconds: number) => (player.position.value = seconds),
    }
    const own = listeners.length
    playInOneTab(
      player as never,
      {
        addEventListener: (_type: string, listener: (typeof listeners)[number]) => void listeners.push(listener),
        postMessage: (data: unknown) => listeners.forEach((listener, index) => index !== own && listener({ data })),
      } as never,
    )
    return player
  }
  const [one, two, three] = [open('fog', 200), open('fog', 190), open('haze', 5)]
  one.isPlaying.value = true
  two.isPlaying.value = true
  expect([one.isPlaying.value, two.isPlaying.value, two.position.value]).toEqual([false, true, 200])
  three.isPlaying.value = true
  expect([two.isPlaying.value, three.position.value]).toEqual([false, 5])
  two.position.value = 100
  one.isPlaying.value = true
  expect(one.position.value).toBe(200)
})

/** A file of a server on this machine, and a cache that reads what is put into it. */
async function fetchFile(respond: () => Response) {
  using server = Bun.serve({ port: 0, fetch: respond })
  Object.assign(navigator, { storage: {} })
  const shares: number[] = []
  let kept: Response | null = null
  const cache = {
    async put(_address: string, response: Response) {
      kept = new Response(await response.bytes(), { headers: response.headers })
    },
  }
  const bytes = await fetchInto(cache as never, server.url.href, share => void shares.push(share))
  return { bytes, shares, kept: kept as Response | null }
}

test('a file comes into the cache whole, with its type, and its progress is reported', async () => {
  const content = new Uint8Array(2_000_000)
  const { bytes, shares, kept } = await fetchFile(
    () => new Response(content, { headers: { 'Content-Type': 'audio/ogg' } }),
  )
  expect([bytes, kept?.headers.get('content-type'), (await kept!.bytes()).length]).toEqual([
    2_000_000,
    'audio/ogg',
    2_000_000,
  ])
  expect(shares.length).toBeGreaterThan(0)
  expect(shares.every((share, index) => share > (shares[index - 1] ?? 0) && share <= 1)).toBe(true)
})

test('an answer that is no success is a failure that names it', async () => {
  expect(await fetchFile(() => new Response('no', { status: 503 })).catch((error: Error) => error.message)).toStartWith(
    'The server answered 503 for http://',
  )
})
