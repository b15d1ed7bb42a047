import { t } from 'elysia'
import { MAIN_FORM } from '../../../shared/forms'
import type { Context } from '../../context'
import type { FeedAccess } from '../../feeds/fetch/address'
import type { ParsedFeed } from '../../feeds/parse/parsed-feed'
import { refuseAddress } from '../../feeds/problems'
import { openSample, type Sample } from '../../feeds/preview'
import { noSuchPath } from '../../platform/problem'
import type { PodcastRow } from '../../store/podcasts'
import { liveStreams } from '../api/episodes.present'
import type { SignedInRoutes } from '../core/signed-in'
import { episodeOfMedia, type IncomingRequest, peerOf } from '../core/links'
import { headOf, restoreLength, sendMedia, waitForReader } from './send-media'
import { relay, relayLive } from './relay'
import { hasBody } from '../core/body'
import type { SendableFile } from './local-file'

/**
 * Serves the media of an episode under one address: the downloaded file, otherwise a relay of its enclosure. A player
 * does not notice when a download ends while it plays.
 */
export function stream(routes: SignedInRoutes, app: Context) {
  const remembered = createRememberedFiles(app)
  // In front of the router, which takes as long as the rest.
  routes.wrap(handle => (request: Request) => {
    const { server } = routes
    if (request.method === 'HEAD') return answerHead(handle(request))
    const response = remembered.answer({ request, server })
    if (response === null) return handle(request)
    waitForReader(server, request)
    return response
  })
  routes
    .get('/media/:file', async ({ user, by, params, query, request, server, links }) => {
      waitForReader(server, request)
      const media = app.store.episodes.requireMedia(user, episodeOfMedia(params.file))
      const asDownload = query.download === '1'
      const response = await sendMedia(app, media, {
        request,
        asDownload,
        form: query.form,
        mayRedirect:
          request.method === 'GET' && (asDownload || query.direct === '1' || !isOfOwnPage(request, links.base)),
        // A key that ends, ends at once.
        onFile: file => by !== 'media-key' && remembered.remember(request, file),
      })
      return request.method === 'HEAD' ? headOf(response) : response
    })
    .get('/media/live/:podcast/:item', async ({ user, params, query, request, server }) => {
      waitForReader(server, request)
      const podcast = app.store.podcasts.require(user, params.podcast)
      const response = await relayLive(app, requireStream(podcast, params.item, query.form ?? MAIN_FORM), request)
      return request.method === 'HEAD' ? headOf(response) : response
    })
    .get('/media/preview/:sample', async ({ user, params, request, server }) => {
      waitForReader(server, request)
      const sample = openSample(app, params.sample)
      if (!sample) throw noSuchPath()
      const reach = await app.outbound.reachOf(sample.feed, user.role === 'admin').catch(refuseAddress)
      const response = await relay(app, sampleAsEpisode(sample, reach), request, false)
      return request.method === 'HEAD' ? headOf(response) : response
    })
    // Clients of PodFetch still ask here. The new address contains the key of theirs.
    .get('/proxy/podcast', ({ query, links, redirect }) => redirect(mediaPath(links.base, query), 308), {
      query: t.Object({ episodeId: t.String({ maxLength: 100 }), apiKey: t.Optional(t.String()) }),
    })
    .get(
      '/proxy/podcast/apiKey/:key',
      ({ query, params, links, redirect }) =>
        redirect(mediaPath(links.base, { episodeId: query.episodeId, apiKey: params.key }), 308),
      { query: t.Object({ episodeId: t.String({ maxLength: 100 }) }) },
    )
}

/** A stream of a live item that the feed has announced. Throws `not-found`. */
function requireStream({ id, title, extras }: PodcastRow, itemId: string, form: string) {
  const { live = [] } = JSON.parse(extras) as Partial<ParsedFeed['extras']>
  const item = live.find(one => one.id === itemId)
  const stream = item && liveStreams(item).find(one => one.form === form)
  if (!stream) throw noSuchPath()
  return {
    podcast_id: id,
    title: item.title || title,
    enclosure_url: stream.url,
    enclosure_type: stream.type,
    superseded: 0,
    file_path: null,
  }
}

const sampleAsEpisode = ({ feed, title, url, type }: Sample, reach: FeedAccess['reach']) => ({
  podcast_id: 0,
  title,
  enclosure_url: url,
  enclosure_type: type,
  superseded: 0,
  file_path: null,
  found: { feed, access: { reach } },
})

const answerHead = async (response: unknown) => restoreLength((await response) as Response)

const mediaPath = (base: string, { episodeId, apiKey }: { episodeId: string; apiKey?: string | undefined }) =>
  `${base}media/${encodeURIComponent(episodeId)}${apiKey ? `?apiKey=${encodeURIComponent(apiKey)}` : ''}`

/**
 * Whether our own page asks. Its amplifier hears only what this server sends, and so do the copies that it keeps; it
 * says so itself where it needs neither. Pages that came without TLS send no `Sec-Fetch-Site`.
 */
function isOfOwnPage({ headers }: Request, base: string): boolean {
  if (headers.get('sec-fetch-site') === 'same-origin') return true
  return headers.get('referer')?.startsWith(base) === true
}

// Why: docs/internals/decisions/0024

const MAX_REMEMBERED = 256
const MAX_KEY_LENGTH = 4096

type Remembered = { file: SendableFile; writes: number }
type Arrived = { key: string; writes: number }

/**
 * Remembers which file a request was answered with, so that a player that reads it range by range is asked once who it
 * is and what it may hear. The same request, but for the range, gets the same file as long as
 *
 * - this process has written nothing into the database since the first one arrived: no session, account, key, episode
 * or
 *   file has changed;
 * - what is known of the file is current: that ends after a second, and when the file is moved or deleted. What another
 *   process writes is therefore seen within a second as well.
 */
function createRememberedFiles({ config, store }: Context) {
  const remembered = new Map<string, Remembered>()
  const arrived = new WeakMap<Request, Arrived>()
  /** Headers that count if a trusted proxy sent them. */
  const claims = ['x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-prefix']
  if (config.proxy) claims.push(config.proxy.header)

  /** Everything in a request that decides about its answer, but for the range; null if it is not one for a range. */
  function keyOf({ request, server }: IncomingRequest): string | null {
    const { method, url, headers } = request
    if (method !== 'GET' || !headers.has('range') || headers.has('upgrade') || hasBody(request)) return null
    // No header holds a line break or a NUL, so that different requests have different keys.
    let key = url
    for (const name of ['cookie', 'authorization', 'host']) key += `\n${headers.get(name) ?? '\0'}`
    if (claims.some(name => headers.has(name)))
      for (const part of [peerOf(request, server)(), ...claims.map(name => headers.get(name))])
        key += `\n${part ?? '\0'}`
    return key.length > MAX_KEY_LENGTH ? null : key
  }

  return {
    /** Answers from memory; null when the request must be looked at. */
    answer(incoming: IncomingRequest): Response | null {
      const key = keyOf(incoming)
      if (key === null) return null
      const writes = store.writes()
      const known = remembered.get(key)
      if (known?.writes !== writes || !known.file.isCurrent()) {
        arrived.set(incoming.request, { key, writes })
        return null
      }
      const response = known.file.send(incoming.request)
      // A refusal has other headers, which are not made here.
      return response?.status === 416 ? null : response
    },

    /** Notes the file that a request is answered with. */
    remember(request: Request, file: SendableFile) {
      const known = arrived.get(request)
      if (!known) return
      if (remembered.size >= MAX_REMEMBERED) remembered.clear()
      remembered.set(known.key, { file, writes: known.writes })
    },
  }
}
