import { t } from 'elysia'
import { EverythingSize } from '../../../shared/api/everything'
import type { Context } from '../../context'
import { streamOf } from '../../platform/stream-of'
import { inert } from '../core/inert'
import { Flag, readFlag } from '../core/query'
import type { SignedInRoutes } from '../core/signed-in'

/** Lets the caller take everything along. A browser saves the archive while it is written. */
export const everything = (routes: SignedInRoutes, { movingOut }: Context) =>
  routes
    .get('/api/v1/users/me/everything', ({ user }) => movingOut.sizeFor(user), { response: EverythingSize })
    .get(
      '/api/v1/users/me/everything.zip',
      ({ user, query, request, server }) => {
        const withFiles = readFlag('files', query.files)
        // Gigabytes take as long as the reader likes.
        server?.timeout(request, 0)
        return new Response(streamOf(movingOut.archiveFor(user, { withFiles, withPasswords: false })), {
          headers: {
            ...inert,
            'Content-Type': 'application/zip',
            'Content-Disposition': `attachment; filename="${movingOut.fileName()}"`,
            'Cache-Control': 'no-store',
          },
        })
      },
      { query: t.Object({ files: Flag }) },
    )
