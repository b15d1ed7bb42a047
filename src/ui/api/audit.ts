import type { AuditEntry } from '../../shared/api/audit'
import type { AuditTopic } from '../../shared/audit-kinds'
import type { Client } from './client'

/** '' = all; `day` as `2026-05-01`, where the browser is. */
export type AuditFilter = { person: string; topic: AuditTopic | ''; day: string }

export type AuditApi = ReturnType<typeof auditApi>

export const auditApi = (client: Client) => ({
  page: (filter: AuditFilter, cursor: string | null, signal?: AbortSignal) =>
    client.page<AuditEntry[]>('/audit', { ...filter, ...offsetOn(filter.day), cursor }, signal),
})

const offsetOn = (day: string) => (day ? { offset: -new Date(`${day}T12:00`).getTimezoneOffset() } : {})
