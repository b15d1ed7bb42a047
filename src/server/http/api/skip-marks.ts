import { t } from 'elysia'
import { NewSkipMark, SkipMark } from '../../../shared/api/skip-mark'
import type { Context } from '../../context'
import type { SkipMarkRow } from '../../store/playback-marks'
import type { SignedInRoutes } from '../core/signed-in'

export function skipMarks(routes: SignedInRoutes, { skipMarks }: Context) {
  routes
    .get('/api/v1/skip-marks', ({ user, query }) => skipMarks.list(user, query.episode).map(present), {
      query: t.Object({ episode: t.String({ maxLength: 100 }) }),
      response: t.Array(SkipMark),
    })
    .post('/api/v1/skip-marks', ({ user, body }) => present(skipMarks.add(user, body)), {
      body: NewSkipMark,
      response: SkipMark,
    })
    .delete('/api/v1/skip-marks/:id', ({ user, params, set }) => {
      skipMarks.remove(user, params.id)
      set.status = 204
    })
}

const present = ({ uuid, episode_uuid, start_ms, end_ms, skip }: SkipMarkRow): SkipMark => ({
  id: uuid,
  episode: episode_uuid,
  start: start_ms / 1000,
  end: end_ms / 1000,
  skip: skip === 1,
})
