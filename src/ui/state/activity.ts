import { computed, signal } from '@preact/signals-core'
import type { AuditEntry } from '../../shared/api/audit'
import type { AdministrationApi, AuditFilter } from '../api/administration'
import { createResource } from '../resource'

const everything: AuditFilter = { person: '', topic: '', day: '' }

type Shown = { items: readonly AuditEntry[]; next: string | null }

/** The fetched part of the acts of people, latest first. */
export function createActivity(api: AdministrationApi['audit']) {
  const filter = signal(everything)
  const { data, error, isLoading, load, retry, set, cancel } = createResource(
    async (signal, isMore: boolean): Promise<Shown> => {
      const before: Shown | null = isMore ? data.peek() : null
      const { data: found, nextCursor } = await api.page(filter.peek(), before?.next ?? null, signal)
      const ids = new Set(found.map(({ id }) => id))
      // An act that was repeated in the meantime has moved up.
      const kept = before?.items.filter(({ id }) => !ids.has(id)) ?? []
      return { items: [...kept, ...found], next: nextCursor }
    },
  )
  return {
    filter,
    isFiltered: computed(() => Object.values(filter.value).some(value => value !== '')),
    items: computed(() => data.value?.items ?? null),
    hasMore: computed(() => (data.value?.next ?? null) !== null),
    error,
    isLoading,
    setFilter(change: Partial<AuditFilter>) {
      filter.value = { ...filter.value, ...change }
      set(null)
      return load(false)
    },
    load: () => load(false),
    loadMore: () => load(true),
    retry,
    cancel,
  }
}
export type Activity = ReturnType<typeof createActivity>
