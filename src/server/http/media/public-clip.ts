import { stat } from 'node:fs/promises'
import type { Context } from '../../context'
import { MINUTE, type Clock } from '../../platform/clock'
import { noSuchPath, Problem } from '../../platform/problem'
import { createTexts } from '../../platform/texts'
import type { ClipOfEpisode } from '../../store/clips'
import { commonHeaders } from '../core/common-headers'
import { inert } from '../core/inert'
import type { OpenRoutes } from '../core/open-routes'
import { peerOf, serverUrlOf } from '../core/server-url'
import { visitorLanguage } from '../core/visitor-language'
import { sendFile } from './local-file'
import { policy, writeClipPage, writeGonePage } from './public-clip-page'

/** Requests for one clip in a minute: its page, its cover, and the ranges that many players ask for. */
const MAX_PER_MINUTE = 600
const MAX_REMEMBERED = 1000

/** Nothing here is kept, by a browser or a search engine: a clip ends at any time. */
const guarded = {
  ...inert,
  'Cache-Control': 'no-cache',
  'X-Robots-Tag': 'noindex',
  'Referrer-Policy': 'no-referrer',
}

function headersWith(own: Record<string, string>): Headers {
  const headers = new Headers(commonHeaders)
  for (const [name, value] of Object.entries({ ...guarded, ...own })) headers.set(name, value)
  return headers
}

const pageHeaders = {
  'Content-Security-Policy': policy,
  'Content-Type': 'text/html; charset=utf-8',
  Vary: 'Accept, Accept-Language',
}

type Found = NonNullable<ReturnType<Context['clips']['findPublic']>>

/** Clips that their owners show to everybody who has the address: a page without scripts, the sound and the cover. */
export function publicClips(routes: OpenRoutes, app: Context) {
  const count = createCounter(app.now)
  const textsIn = createTexts()
  /** Throws `not-found` for a clip that is none, or none any more, and `too-many-requests`. */
  function requireClip(code: string): Found {
    const clip = app.clips.findPublic(code)
    if (!clip) throw noSuchPath()
    count(code)
    return clip
  }

  routes
    .get('/clip/:code', async ({ params, request, server }) => {
      const clip = app.clips.findPublic(params.code)
      if (!clip && !/\btext\/html\b/i.test(request.headers.get('accept') ?? '')) throw noSuchPath()
      if (clip) count(params.code)
      const language = visitorLanguage(request)
      const base = serverUrlOf(request, peerOf(request, server), app.config)
      const shown = { base, language, t: await textsIn(language) }
      const page = clip
        ? writeClipPage(clip, { ...shown, hasCover: pictureOf(app, clip) !== null })
        : writeGonePage(shown)
      return new Response(page, { status: clip ? 200 : 404, headers: headersWith(pageHeaders) })
    })
    .get('/clip/:code/audio', async ({ params, request }) => {
      const clip = requireClip(params.code)
      const facts = await stat(clip.path).catch(() => null)
      if (!facts) throw noSuchPath()
      const validators = { etag: `"${clip.uuid}"`, lastModified: new Date(clip.created_at).toUTCString() }
      const headers = headersWith({
        'Content-Type': clip.file_type,
        'Accept-Ranges': 'bytes',
        ETag: validators.etag,
      })
      return sendFile({ path: clip.path, file: Bun.file(clip.path), facts, validators, headers }, request)
    })
    .get('/clip/:code/cover', async ({ params }) => {
      const clip = requireClip(params.code)
      const picture = pictureOf(app, clip)
      const cover = picture && (await app.covers.storedAs(picture.podcastId, picture.url, 512))
      if (!cover) throw noSuchPath()
      return new Response(Bun.file(cover.path), { headers: headersWith({ 'Content-Type': cover.type }) })
    })
}

/** The address of the picture that is here of an episode, its own or its podcast's; null where there is none. */
function pictureOf({ store, covers }: Context, { episode_id }: ClipOfEpisode) {
  const episode = store.episodes.find(episode_id)
  const urls = [episode?.image_url, episode?.podcast_image].filter(url => typeof url === 'string')
  const url = urls.find(one => covers.stored(episode!.podcast_id, one) !== null)
  return url === undefined ? null : { podcastId: episode!.podcast_id, url }
}

/** Counts the requests for each clip within a minute. Throws `too-many-requests` beyond the limit. */
function createCounter(now: Clock) {
  const counts = new Map<string, { since: number; requests: number }>()
  return (code: string) => {
    const known = counts.get(code)
    if (!known || now() - known.since >= MINUTE) {
      if (counts.size >= MAX_REMEMBERED) counts.delete(counts.keys().next().value!)
      counts.set(code, { since: now(), requests: 1 })
      return
    }
    known.requests++
    if (known.requests > MAX_PER_MINUTE)
      throw new Problem('too-many-requests', 'Too many requests for this clip', {}, 60)
  }
}
