import { t } from 'elysia'
import { Playlist, PlaylistEdit } from '../../../shared/api/playlist'
import { SmartPreview, SmartRules } from '../../../shared/api/smart-playlist'
import { PREVIEWED } from '../../../shared/smart-limits'
import { rulesOf } from '../../library/smart-rules'
import type { Context } from '../../context'
import type { PlaylistRow } from '../../store/playlists'
import type { UserRow } from '../../store/users'
import type { Links } from '../core/links'
import type { SignedInRoutes } from '../core/signed-in'
import { presentEpisodeWithHistory } from './episodes.present'

export function playlists(routes: SignedInRoutes, { store, playlists }: Context) {
  const present = (row: PlaylistRow, user: UserRow, links: Links): Playlist => ({
    id: row.uuid,
    name: row.name,
    items: playlists.episodesOf(user, row).map(item => presentEpisodeWithHistory(item, links)),
    rules: rulesOf(row),
  })

  routes
    .get(
      '/api/v1/playlist',
      ({ user, links }) => store.playlists.listFor(user.id).map(row => present(row, user, links)),
      { response: t.Array(Playlist) },
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
    .delete(
      '/api/v1/playlist/:id',
      ({ user, params, set }) => {
        playlists.remove(user, params.id)
        set.status = 204
      },
      { body: t.Any() },
    )
    .delete(
      '/api/v1/playlist/:id/episode/:episode',
      ({ user, params, set }) => {
        store.playlists.require(user.id, params.id)
        playlists.takeOut(user, params.id, [store.episodes.require(user, params.episode).id])
        set.status = 204
      },
      { body: t.Any() },
    )
}
