import type { Context } from '../../../context'
import { headOf, sendMedia, waitForReader } from '../../media/send-media'
import type { UserRow } from '../../../store/users'
import { createItems } from './items'
import {
  AppRefusal,
  notFound,
  numberOf,
  type AppCall,
  type AppRequest,
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
