import { t } from 'elysia'
import { Backup } from '../../../shared/api/system'
import type { Backup as BackupFile } from '../../upkeep/backups'
import type { Context } from '../../context'
import { writeInstant } from '../core/instants'
import type { SignedInRoutes } from '../core/signed-in'

/** Backups in the data folder, for admins only: each holds the server's secret. */
export function backups(routes: SignedInRoutes, { backups, publish }: Context) {
  routes
    .get('/api/v1/backups', async () => (await backups.list()).map(present), {
      role: 'admin',
      response: t.Array(Backup),
    })
    .post('/api/v1/backups', async () => present(await backups.create('manual')), { role: 'admin', response: Backup })
    .get(
      '/api/v1/backups/:name',
      async ({ params }) => {
        const { path, size } = await backups.find(params.name)
        publish({ type: 'recorded', kind: 'backup-downloaded', detail: params.name })
        return new Response(Bun.file(path), {
          headers: {
            'Content-Type': 'application/vnd.sqlite3',
            'Content-Length': String(size),
            'Content-Disposition': `attachment; filename="${params.name}"`,
          },
        })
      },
      { role: 'admin' },
    )
    .delete(
      '/api/v1/backups/:name',
      async ({ params, set }) => {
        await backups.remove(params.name)
        publish({ type: 'recorded', kind: 'backup-removed', detail: params.name })
        set.status = 204
      },
      { role: 'admin' },
    )
}

const present = ({ name, kind, size, at }: BackupFile): Backup => ({ name, kind, size, createdAt: writeInstant(at) })
