// Keeps the shell of the application, its page and its files, so that it opens without the server. It stores nothing of
// any user: kept episodes have a separate cache, which the page manages (`device/kept-files.ts`).

/** The names of this build's files, and an id of the build, which makes each build a new worker. */
declare const ASSETS: readonly string[]
declare const BUILD: string

type Waiting = Event & { waitUntil: (work: Promise<unknown>) => void }
type Fetching = Waiting & { request: Request; respondWith: (answer: Promise<Response>) => void }
type Pushed = Waiting & { data: { json: () => unknown } | null }
type Pressed = Waiting & { notification: { data: unknown; close: () => void } }
type Notice = { key: string; title: string; text: string; path: string }
type OpenPage = {
  url: string
  visibilityState: DocumentVisibilityState
  focus: () => Promise<unknown>
  postMessage: (data: unknown, transfer?: readonly Transferable[]) => void
}
type ShellWorker = {
  addEventListener: <E extends Event>(type: string, listener: (event: E) => void) => void
  registration: {
    scope: string
    showNotification: (title: string, options: object) => Promise<void>
  }
  clients: {
    claim: () => Promise<void>
    matchAll: (options: object) => Promise<OpenPage[]>
    openWindow: (url: string) => Promise<unknown>
  }
  skipWaiting: () => Promise<void>
}

const worker = globalThis as unknown as ShellWorker
const page = worker.registration.scope
const SHELL = `castellan-shell-${BUILD}`
const KEPT = 'castellan-kept'
const PATIENCE_MS = 4000
/** Browsers allow a window to be opened for only a moment after a press. */
const ANSWER_MS = 300

worker.addEventListener<Waiting>('install', event => {
  const addresses = [page, ...ASSETS.map(name => `${page}assets/${name}`)]
  event.waitUntil(caches.open(SHELL).then(cache => cache.addAll(addresses)))
})

worker.addEventListener<Waiting>('activate', event => {
  event.waitUntil(forgetOldShells().then(() => worker.clients.claim()))
})

worker.addEventListener<MessageEvent>('message', ({ data }) => {
  if (data === 'take-over') void worker.skipWaiting()
})

worker.addEventListener<Fetching>('fetch', event => {
  const { request } = event
  if (request.method !== 'GET' || new URL(request.url).origin !== new URL(page).origin) return
  // A file that is saved to the disk must never be answered with a page.
  if (request.mode === 'navigate' && request.url.startsWith(page)) event.respondWith(navigate(request))
  else if (request.url.startsWith(`${page}assets/`)) event.respondWith(fromShell(request))
  else if (request.destination === 'image') event.respondWith(fetch(request).catch(error => fromKept(request, error)))
})

worker.addEventListener<Pushed>('push', event => {
  const notice = event.data?.json() as Notice | undefined
  if (notice) event.waitUntil(show(notice))
})

worker.addEventListener<Pressed>('notificationclick', event => {
  event.notification.close()
  event.waitUntil(open(String(event.notification.data)))
})

/** Shows a message from the server. One that arrives twice replaces itself. */
const show = ({ key, title, text, path }: Notice) =>
  worker.registration.showNotification(title, { body: text, tag: key, data: path, icon: `${page}public/icon-192.png` })

/** Shows a page of the interface in a tab that is already open, so that playback continues; else in a new window. */
async function open(path: string) {
  const url = new URL(path, page).href
  const target = url.startsWith(page) ? url : page
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const ours = pages.filter(one => one.url.startsWith(page))
  const areListening = await Promise.all(ours.map(isListening))
  const listening = ours.filter((_, place) => areListening[place])
  const shown = listening.find(({ visibilityState }) => visibilityState === 'visible') ?? listening[0]
  if (!shown) return worker.clients.openWindow(target)
  shown.postMessage({ open: target.slice(page.length) })
  return shown.focus()
}

/** Asks whether a page reacts to the press: nobody may be signed in there, or it may be asleep. */
function isListening(one: OpenPage): Promise<boolean> {
  const { port1, port2 } = new MessageChannel()
  return new Promise(resolve => {
    port1.onmessage = () => resolve(true)
    setTimeout(resolve, ANSWER_MS, false)
    one.postMessage({ isListening: true }, [port2])
  })
}

/** Answers with the server's page, or with the kept one if the server can't be reached or takes too long. */
async function navigate(request: Request): Promise<Response> {
  const shell = () => caches.match(page, { cacheName: SHELL })
  const late = new Promise<undefined>(resolve => setTimeout(resolve, PATIENCE_MS, undefined))
  const fresh = fetch(request)
  try {
    const first = await Promise.race([fresh, late])
    // A proxy answers 502 or above if the server behind it can't be reached.
    if (first && first.status < 502) return first
    return (await shell()) ?? (await fresh)
  } catch (error) {
    const kept = await shell()
    if (kept) return kept
    throw error
  }
}

const fromShell = async (request: Request) => (await caches.match(request, { cacheName: SHELL })) ?? fetch(request)

async function fromKept(request: Request, error: unknown): Promise<Response> {
  const kept = await caches.match(request, { cacheName: KEPT, ignoreSearch: true })
  if (!kept) throw error
  return kept
}

async function forgetOldShells() {
  for (const name of await caches.keys())
    if (name.startsWith('castellan-shell-') && name !== SHELL) await caches.delete(name)
}
