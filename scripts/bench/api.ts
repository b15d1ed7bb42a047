export type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>

/** Calls of `/api/v1`; an answer without a body is null, a refusal is thrown. */
export const callsOf =
  (origin: string, headers: Record<string, string> = {}): Call =>
  async <T>(method: string, path: string, body?: unknown) => {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`)
    return (text ? JSON.parse(text) : null) as T
  }

/** Keeps a server from downloading the newest episodes of what is added. */
export const noPrefill = (call: Call) => call('PUT', '/settings', { podcastPrefill: 0 })

export const opmlOf = (addresses: readonly string[]) =>
  `<opml version="2.0"><body>${addresses.map(url => `<outline text="${url}" type="rss" xmlUrl="${url}"/>`).join('')}</body></opml>`

/** Imports feeds, and answers once each of them is stored. */
export async function importFeeds(call: Call, addresses: readonly string[]) {
  const { jobId } = await call<{ jobId: string }>('POST', '/podcasts/opml', { content: opmlOf(addresses) })
  for (;;) {
    const { state, failed } = await call<{ state: string; failed: number }>('GET', `/jobs/${jobId}`)
    if (failed > 0) throw new Error(`${failed} feeds were not imported`)
    if (state === 'done') return
    await Bun.sleep(50)
  }
}

/** Refreshes each of these podcasts, and answers when all were checked; the socket tells which are done. */
export async function refreshThose(origin: string, podcasts: Iterable<string>, headers: Record<string, string> = {}) {
  const call = callsOf(origin, headers)
  const left = new Set(podcasts)
  const waiting = [...left]
  await hearRefreshed(
    origin,
    headers,
    id => (left.delete(id), left.size === 0),
    async () => {
      const ask = async () => {
        for (let id = waiting.pop(); id; id = waiting.pop()) await call('POST', `/podcasts/${id}/refresh`)
      }
      await Promise.all(Array.from({ length: 8 }, ask))
    },
  )
}

/** Refreshes everything, and resolves once `count` podcasts were checked. */
export async function refreshAll(origin: string, count: number) {
  const seen = new Set<string>()
  await hearRefreshed(
    origin,
    {},
    id => seen.add(id).size >= count,
    () => callsOf(origin)('POST', '/podcasts/all'),
  )
}

/** Begins something, and answers when `isLast` says so of a podcast that was refreshed. */
async function hearRefreshed(
  origin: string,
  headers: Record<string, string>,
  isLast: (podcast: string) => boolean,
  begin: () => Promise<unknown>,
) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, { headers } as unknown as string[])
  socket.onmessage = message => {
    const event = JSON.parse(message.data as string) as { type: string; podcast?: { id: string } }
    if (event.type === 'refreshedPodcast' && isLast(event.podcast!.id)) resolve()
  }
  await new Promise(opened => (socket.onopen = opened))
  await begin()
  await promise
  socket.close()
}
