import { signal } from '@preact/signals-core'
import type { FeedCheck } from '../../shared/api/podcast'
import type { Api } from '../api'

export type FeedChecks = ReturnType<typeof createFeedChecks>

/** When the feeds were checked and will be, by podcast: for the pages that show it. */
export function createFeedChecks(api: Pick<Api['podcasts'], 'checks'>) {
  const byId = signal<ReadonlyMap<string, FeedCheck>>(new Map())
  return {
    byId,
    async load() {
      byId.value = new Map((await api.checks()).map(check => [check.id, check]))
    },
    note({ id, last_checked_at, next_check_at }: FeedCheck) {
      byId.value = new Map(byId.peek()).set(id, { id, last_checked_at, next_check_at })
    },
  }
}
