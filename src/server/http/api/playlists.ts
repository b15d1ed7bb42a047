import { t } from 'elysia'
import { ChosenEpisodes } from '../../../shared/api/episode'
import {
  Playlist,
  PlaylistEdit,
  PlaylistPlace,
  PlaylistSummary,
  SmartPreview,
  SmartRules,
  Suggestions,
  SuggestionsChoice,
} from '../../../shared/api/playlist'
import { Affected } from '../../../shared/api/podcast'
import { PREVIEWED } from '../../../shared/limits'
import { rulesOf } from '../../library/playlists'
import type { Context } from '../../context'
import type { PlaylistRow } from '../../store/playlists'
import type { UserRow } from '../../store/users'
import { writeInstantOrNull } from '../core/instants'
import type { Links } from '../core/links'
import { Flag, readFlag } from '../core/query'
import type { SignedInRoutes } from '../core/signed-in'
import { idsOfChosen } from './episodes'
import { presentEpisodeWithHistory } from './episodes.present'

/** `chosen`: only those whose episodes are chosen. */
const ListQuery = t.Object({ chosen: Flag, episode: t.Optional(t.String({ maxLength: 100 })) })

const SuggestionsQuery = t.Object({ tz: t.String({ maxLength: 60, default: 'UTC' }) })

/** Returns the number of episodes that were not in the playlist. */
function append({ store, playlists }: Context, user: UserRow, uuid: string, episodeIds: readonly number[]): number {
  const { id } = store.playlists.require(user.id, uuid)
  const before = store.playlists.episodeIds(id).length
  playlists.append(user, uuid, episodeIds)
  return store.playlists.episodeIds(id).length - before
}

export function playlists(routes: SignedInRoutes, app: Context) {
  const { store, playlists } = app
  suggested(routes, app)
  items(routes, app)
  const factsOf = (row: PlaylistRow) => ({
    id: row.uuid,
    name: row.name,
    description: row.description,
    rules: rulesOf(row),
  })
  const present = (row: PlaylistRow, user: UserRow, links: Links): Playlist => ({
    ...factsOf(row),
    items: playlists.episodesOf(user, row).map(item => presentEpisodeWithHistory(item, links)),
  })
  /** One by rules without its episodes: in a list of all they would be as many as the library has. */
  const presentListed = (row: PlaylistRow, user: UserRow, links: Links): Playlist =>
    row.rules === null ? present(row, user, links) : { ...factsOf(row), items: [] }

  async function summarise(user: UserRow, rows: readonly PlaylistRow[], held: number | null) {
    const summaries: PlaylistSummary[] = []
    for (const row of rows) {
      const holds = held !== null && row.rules === null && store.playlists.holds(row.id, held)
      const { uuid: id, name, played_at } = row
      const playedAt = writeInstantOrNull(played_at)
      summaries.push({ id, name, rules: rulesOf(row), ...playlists.contentOf(user, row), playedAt, holds })
      // Other requests have their turn between the playlists.
      if (row.rules !== null) await Bun.sleep(0)
    }
    return summaries
  }

  routes
    .get(
      '/api/v1/playlist',
      ({ user, links }) => store.playlists.listFor(user.id).map(row => presentListed(row, user, links)),
      { response: t.Array(Playlist) },
    )
    .get(
      '/api/v1/playlists',
      ({ user, query }) => {
        const held = query.episode ? store.episodes.require(user, query.episode).id : null
        const chosenOnly = readFlag('chosen', query.chosen)
        const rows = store.playlists.listFor(user.id).filter(row => !chosenOnly || row.rules === null)
        return summarise(user, rows, held)
      },
      { query: ListQuery, response: t.Array(PlaylistSummary) },
    )
    .post('/api/v1/playlist', ({ user, links, body }) => present(playlists.create(user, body), user, links), {
      body: PlaylistEdit,
      response: Playlist,
    })
    .post(
      '/api/v1/playlist/preview',
      ({ user, links, body }) => {
        const found = playlists.preview(user, body)
        return {
          count: found.length,
          seconds: found.reduce((sum, { duration }) => sum + duration, 0),
          items: found.slice(0, PREVIEWED).map(item => presentEpisodeWithHistory(item, links)),
        }
      },
      { body: SmartRules, response: SmartPreview },
    )
    .get(
      '/api/v1/playlist/:id',
      ({ user, links, params }) => present(store.playlists.require(user.id, params.id), user, links),
      { response: Playlist },
    )
    .put(
      '/api/v1/playlist/:id',
      ({ user, links, params, body }) => present(playlists.replace(user, params.id, body), user, links),
      { body: PlaylistEdit, response: Playlist },
    )
    .delete('/api/v1/playlist/:id', ({ user, params, set }) => {
      playlists.remove(user, params.id)
      set.status = 204
    })
}

/** Episodes to play now, in lists that nobody stored. */
function suggested(routes: SignedInRoutes, { store, suggestions }: Context) {
  routes
    .get(
      '/api/v1/playlists/suggestions',
      ({ user, links, query }) => ({
        isShown: user.suggestions === 1,
        suggestions: (user.suggestions === 1 ? suggestions(user, query.tz) : []).map(({ kind, items }) => ({
          kind,
          items: items.map(item => presentEpisodeWithHistory(item, links)),
        })),
      }),
      { query: SuggestionsQuery, response: Suggestions },
    )
    .put(
      '/api/v1/playlists/suggestions',
      ({ user, body }) => {
        store.users.setSuggestions(user.id, body.isShown)
        return body
      },
      { body: SuggestionsChoice, response: SuggestionsChoice },
    )
}

/** Playing a playlist, adding to it, putting it in order, and removing from it. */
function items(routes: SignedInRoutes, app: Context) {
  const { store, playlists } = app
  routes
    .post(
      '/api/v1/playlist/:id/episodes',
      ({ user, params, body }) => ({ affected: append(app, user, params.id, idsOfChosen(store, user, body)) }),
      { body: ChosenEpisodes, response: Affected },
    )
    .put('/api/v1/playlist/:id/played', ({ user, params, set }) => {
      store.playlists.notePlayed(store.playlists.require(user.id, params.id).id, app.now())
      set.status = 204
    })
    .put(
      '/api/v1/playlist/:id/episode/:episode',
      ({ user, params, body: { before }, set }) => {
        store.playlists.require(user.id, params.id)
        const idOf = (episode: string) => store.episodes.require(user, episode).id
        playlists.place(user, params.id, idOf(params.episode), before === null ? null : idOf(before))
        set.status = 204
      },
      { body: PlaylistPlace },
    )
    .delete('/api/v1/playlist/:id/episode/:episode', ({ user, params, set }) => {
      store.playlists.require(user.id, params.id)
      playlists.takeOut(user, params.id, [store.episodes.require(user, params.episode).id])
      set.status = 204
    })
}
