import { t } from 'elysia'
import { SetAsideItem, SetAsideKey, type WorkKind } from '../../../shared/api/set-aside'
import type { Context } from '../../context'
import { Problem } from '../../platform/problem'
import { writeInstant } from '../core/instants'
import type { SignedInRoutes } from '../core/signed-in'

/** Work that was set aside since the server stopped twice in the middle of it, for admins. */
export function setAside(routes: SignedInRoutes, context: Context) {
  const { begun } = context
  routes
    .get(
      '/api/v1/set-aside',
      () =>
        begun.listSetAside().map(({ kind, key, label, set_aside_at }) => ({
          kind: kind as WorkKind,
          key,
          label,
          since: writeInstant(set_aside_at!),
        })),
      { role: 'admin', response: t.Array(SetAsideItem) },
    )
    .post(
      '/api/v1/set-aside/retry',
      ({ body, set }) => {
        if (!begun.tryAgain(body)) throw new Problem('not-found', 'Nothing of this name is set aside')
        resume(context)
        set.status = 204
      },
      { role: 'admin', body: SetAsideKey },
    )
}

/** Starts what waits; the jobs would do so within an hour. */
function resume({ downloads, keptFiles, transcriptions, opmlImport, rename, moves, indexer, removals }: Context) {
  void keptFiles.resume()
  downloads.pump()
  transcriptions.pump()
  opmlImport.resume()
  rename.resume()
  moves.resume()
  void indexer.run()
  void removals.run()
}
