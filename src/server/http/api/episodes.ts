import { Download } from '../../../shared/api/download'
import {
  DownloadRequest,
  EpisodeFavour,
  EpisodeWithExtras,
  EpisodeWrapper,
  MediaAddress,
  SameEpisode,
  type EpisodeExtras,
} from '../../../shared/api/episode'
import { MAIN_FORM } from '../../../shared/forms'
import type { Context } from '../../context'
import { invalidField } from '../../platform/problem'
import type { EpisodeRow } from '../../store/episodes'
import type { UserRow } from '../../store/users'
import { formsOfEpisode } from '../../feeds/parse/forms'
import { logFailure } from '../../platform/log'
import { mediaExtension } from '../../sync/private-addresses'
import { writeInstant } from '../core/instants'
import { linkPortraits, mediaLink, type Links } from '../core/links'
import type { RequestContext, SignedInRoutes } from '../core/signed-in'
import { presentDownload } from './downloads.present'
import { presentEpisodeWithHistory } from './episodes.present'
import { presentForms } from './playables.present'

const noExtras: EpisodeExtras = { persons: [], soundbites: [] }

export function episodes(routes: SignedInRoutes, app: Context) {
  const { store, downloads, favourites, identities, now } = app
  routes
    .get(
      '/api/v1/episodes/:eid',
      ({ user, links, params }) => {
        const row = store.episodes.requireFor(user, params.eid)
        // Not awaited: a share may take long. The event updates open pages.
        void app.fileCheck.look(row).catch(logFailure(app.log, 'Missing file was not noted'))
        const extras = row.extras ? (JSON.parse(row.extras) as EpisodeExtras) : noExtras
        const persons = linkPortraits(extras.persons, `episodes/${row.uuid}`, links)
        const author = row.author === null ? {} : { author: row.author }
        return {
          ...presentEpisodeWithHistory(row, links),
          extras: { ...extras, persons, ...author, ...presentForms(row, links) },
        }
      },
      { response: EpisodeWithExtras },
    )
    .get('/api/v1/episodes/:eid/address', request => addressFor(app, request), { response: MediaAddress })
    // In the next two paths `:id` is the id of an episode: clients know them from PodFetch.
    .put(
      '/api/v1/podcasts/:id/episodes/favor',
      ({ user, params, body, set }) => {
        favourites.like(user.id, store.episodes.require(user, params.id).id, body.favored)
        set.status = 204
      },
      { body: EpisodeFavour },
    )
    .put(
      '/api/v1/podcasts/:id/episodes/download',
      async ({ user, params, body, set }) => {
        const episode = store.episodes.require(user, params.id)
        const form = requireForm(episode, body?.form)
        const isHere = episode.file_path !== null && (form === null || form === (episode.file_form ?? MAIN_FORM))
        if (isHere) return presentDownload(store.downloads.recordDone(episode.id, episode.file_size ?? 0, now()), null)
        const row = await downloads.request(episode, user.id, form)
        set.status = 202
        return presentDownload(row, downloads.live(row.id))
      },
      { role: 'uploader', body: DownloadRequest, response: { 200: Download, 202: Download } },
    )
    .put(
      '/api/v1/episodes/:eid/newer-recording',
      async ({ user, params, set }) => {
        const row = await downloads.request(store.episodes.require(user, params.eid), user.id)
        set.status = 202
        return presentDownload(row, downloads.live(row.id))
      },
      { role: 'uploader', response: { 202: Download } },
    )
    .post(
      '/api/v1/episodes/:eid/same',
      async ({ user, links, params, body }) => {
        const [one, other] = [params.eid, body.episode].map(eid => store.episodes.require(user, eid))
        return presentRow(app, user, await identities.join(one!, other!), links)
      },
      { role: 'uploader', body: SameEpisode, response: EpisodeWrapper },
    )
    .post(
      '/api/v1/episodes/:eid/split',
      async ({ user, links, params }) =>
        presentRow(app, user, await identities.split(store.episodes.require(user, params.eid)), links),
      { role: 'uploader', response: EpisodeWrapper },
    )
    .delete(
      '/api/v1/episodes/:eid/download',
      async ({ user, params, set }) => {
        await downloads.remove(store.episodes.require(user, params.eid))
        set.status = 204
      },
      { role: 'uploader' },
    )
}

/** The form of an episode that a request names; null if it names none. Throws `invalid-field`. */
function requireForm(episode: EpisodeRow, form: string | undefined): string | null {
  if (form === undefined) return null
  const known = [MAIN_FORM, ...formsOfEpisode(episode).map(({ id }) => id)]
  if (!known.includes(form)) throw invalidField('form', known.join(', '))
  return form
}

const presentRow = ({ store }: Context, user: UserRow, id: number, links: Links) =>
  presentEpisodeWithHistory(store.episodes.requireFor(user, store.episodes.find(id)!.uuid), links)

type Asked = Pick<RequestContext, 'user' | 'links' | 'ownSessionId'> & { params: { eid: string } }

/** Makes an address that plays without a session, for a while; open mode needs no key. */
function addressFor({ store, mediaKeys, config }: Context, { user, links, ownSessionId, params }: Asked): MediaAddress {
  const episode = store.episodes.require(user, params.eid)
  const type = episode.file_type ?? episode.enclosure_type
  const address = mediaLink({ ...links, key: null }, `media/${episode.eid}.${mediaExtension(type)}`)
  if (config.isOpen) return { address, expiresAt: null }
  const { key, expiresAt } = mediaKeys.make(user, ownSessionId, episode.eid)
  return { address: `${address}?mediaKey=${key}`, expiresAt: writeInstant(expiresAt) }
}
