import type { Context } from '../../../context'
import { type CoverFile, type CoverFormat, coverSizes } from '../../../covers/sizes'
import { createLanes } from '../../../outbound/lanes'
import type { UserRow } from '../../../store/users'
import { inert } from '../../core/answers'
import { headOf, sendMedia, waitForReader } from '../../media/send-media'
import { createItems } from './items'
import {
  type AppCall,
  AppRefusal,
  type AppRequest,
  notFound,
  numberOf,
  type OpenCall,
  type OpenRequest,
} from './protocol'

/** The media of open sessions: their ids are random and known to nobody else, so nothing more is asked for. */
export const trackCalls = (app: Context): OpenCall[] => [
  [
    'GET /public/session/:id/track/:index',
    incoming => {
      const { id, index } = incoming.parts
      const number = numberOf(index)
      if (number === null) throw new AppRefusal(400, 'The index of a track is a number')
      const session = app.playSessions.findOpen(id!)
      if (!session || (number !== 0 && number !== 1)) throw notFound()
      const user = app.store.users.find(session.user_id)!
      return send(app, incoming, user, app.store.episodes.find(session.episode_id)!.eid, false)
    },
  ],
]

/** The media of episodes as files. */
export function fileCalls(app: Context): AppCall[] {
  const items = createItems(app)
  const answer = (incoming: AppRequest, asDownload: boolean) => {
    const { user, parts, base } = incoming
    const { item, ino } = parts as { item: string; ino: string }
    if (ino === `cover-${item}`) {
      const { uuid } = items.requirePodcast(user, item)
      const cover = `${base}api/items/${encodeURIComponent(uuid)}/cover?raw=1`
      return new Response(null, { status: 302, headers: { Location: cover } })
    }
    return send(app, incoming, user, items.requireEpisode(user, item, ino).uuid, asDownload)
  }
  return [
    ['GET /api/items/:item/file/:ino', incoming => answer(incoming, false)],
    ['GET /api/items/:item/file/:ino/download', incoming => answer(incoming, true)],
  ]
}

async function send(
  app: Context,
  { request, server }: OpenRequest,
  user: UserRow,
  episode: string,
  asDownload: boolean,
) {
  waitForReader(server, request)
  const media = app.store.episodes.requireMedia(user, episode)
  const response = await sendMedia(app, media, { request, asDownload, mayRedirect: request.method === 'GET' })
  return request.method === 'HEAD' ? headOf(response) : response
}

const DAY = 'private, max-age=86400'

/** A cover shown as large as a phone is wide. */
const DEFAULT_WIDTH = 1024

/**
 * Covers, which apps ask for without any credentials: the id of a podcast is random, and the key to its picture.
 * Nothing is fetched for strangers, and few pictures are scaled at once.
 */
export function coverCalls({ store, covers }: Context, builtIn: string): OpenCall[] {
  const lanes = createLanes({ total: 2, perHost: 1 })

  async function cover({ parts, query, request }: OpenRequest): Promise<Response> {
    const podcast = store.catalogue.coverOf(parts.item!)
    if (!podcast) throw notFound()
    const { id, url } = podcast
    const format = formatFor(query, request)
    const size = query.get('raw') === '1' ? null : sizeFor(numberOf(query.get('width')) ?? DEFAULT_WIDTH)
    const found = url === null ? null : await lanes.run(parts.item!, () => covers.storedAs(id, url, size, format))
    return answer(found, size === null ? 'raw' : `${size}-${format}`, request, query.has('ts'), builtIn)
  }

  return [['GET /api/items/:item/cover', cover]]
}

/** The smallest of our sizes that fills a width, else the largest. */
const sizeFor = (width: number) => coverSizes.find(size => size >= width) ?? coverSizes.at(-1)!

/** WebP for those who name it, since an app may keep the picture under the name of a JPEG. */
function formatFor(query: URLSearchParams, { headers }: Request): CoverFormat {
  const wanted = query.get('format')
  if (wanted === 'webp' || wanted === 'jpeg') return wanted
  return headers.get('accept')?.includes('image/webp') ? 'webp' : 'jpeg'
}

function answer(
  cover: CoverFile | null,
  variant: string,
  request: Request,
  isVersioned: boolean,
  builtIn: string,
): Response {
  const etag = cover ? `"${cover.digest}-${variant}"` : '"built-in"'
  const headers = {
    ETag: etag,
    'Content-Type': cover?.type ?? 'image/png',
    ...inert,
    Vary: 'Accept',
    // The built-in one stays only until the podcast's own was fetched.
    'Cache-Control': cover && isVersioned ? DAY : 'private, no-cache',
  }
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
  return new Response(Bun.file(cover?.path ?? builtIn), { headers })
}
