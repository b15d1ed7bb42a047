import { idle } from './load-code'

const CACHE = 'castellan-answers'
const MAX_KEPT = 400
/** The number of writes between two looks for what is too much. */
const CHECK_EVERY = 20

/** An answer of the server, in JSON. */
export type StoredAnswer = { text: string; nextCursor: string | null }

let writes = 0

const library = new RegExp(
  `/api/v1/(sys/config|users/me(/skipLengths)?|podcasts(/\\w+)?
|podcasts/[\\w-]+(/(episodes|overview|preferences|settings|(episodes/)?outline))?
|podcasts/episode/(lastwatched|[\\w-]+/loudness)
|podcasts/episodes/[\\w-]+/(chapters|transcripts?)|episodes/[\\w-]+|episodes/yours/[\\w-]+(/outline)?
|queues?|tags|playlists?(/[\\w-]+)?|settings(/opml/\\w+)?|notifications/unread|downloads|bookmarks|skip-marks)$`.replaceAll(
    '\n',
    '',
  ),
)

/** Whether an answer is about the library or its user. None that administers or searches is. */
export const isOfLibrary = (url: URL) => !url.searchParams.has('q') && library.test(url.pathname)

/** Keeps answers about the library by their addresses, in place of older ones. Returns whether there were any. */
export async function keepAnswers(answers: readonly [url: string, answer: StoredAnswer][]): Promise<boolean> {
  const wanted = answers.filter(([url]) => isOfLibrary(new URL(url)))
  if (wanted.length === 0) return false
  await idle()
  const cache = await caches.open(CACHE)
  for (const [url, { text, nextCursor }] of wanted)
    await cache.put(url, new Response(text, { headers: nextCursor === null ? {} : { 'x-next-cursor': nextCursor } }))
  if (++writes % CHECK_EVERY > 0) return true
  // Those written last are at the end.
  for (const old of (await cache.keys()).slice(0, -MAX_KEPT)) await cache.delete(old)
  return true
}

export async function findAnswer(url: string): Promise<StoredAnswer | null> {
  const response = await caches.match(url, { cacheName: CACHE })
  return response ? { text: await response.text(), nextCursor: response.headers.get('x-next-cursor') } : null
}

export const clearAnswers = () => caches.delete(CACHE)
