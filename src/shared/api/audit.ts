import { Type, type Static } from '@sinclair/typebox'
import type { SettingsValues } from './settings'
import { auditSources, auditTopicNames, auditTopics, type AuditKind } from '../audit-kinds'
import { Instant, Nullable, oneOf } from './parts'

export const AuditTopicName = oneOf(auditTopicNames)

const SettingValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])
export type SettingValue = Static<typeof SettingValue>
export type SettingName = Exclude<keyof SettingsValues, 'id'>

/** The countable or comparable results of an act. */
export const AuditFacts = Type.Object({
  /** Settings, by their names in `/api/v1/settings`. */
  changes: Type.Optional(
    Type.Array(
      Type.Object({ name: Type.Unsafe<SettingName>(Type.String()), before: SettingValue, after: SettingValue }),
    ),
  ),
  /** Podcasts of an import. */
  podcasts: Type.Optional(Type.Object({ added: Type.Integer(), present: Type.Integer(), failed: Type.Integer() })),
})
export type AuditFacts = Static<typeof AuditFacts>

const Person = Type.Object({
  /** Null for somebody without an account here. */
  id: Nullable(Type.String()),
  /** The name at that time, or what was typed. */
  name: Type.String(),
})

/** One act, or the same act repeated: `count` times from `since` until `at`. */
export const AuditEntry = Type.Object({
  id: Type.String(),
  at: Instant,
  since: Instant,
  count: Type.Integer(),
  topic: AuditTopicName,
  kind: oneOf(auditTopicNames.flatMap((topic): readonly AuditKind[] => auditTopics[topic])),
  by: oneOf(['user', ...auditSources]),
  actor: Nullable(Person),
  /** Whom it concerns; null if that is nobody but the actor. */
  about: Nullable(Person),
  /** An IPv4 address, or the /64 network of an IPv6 one; '' = unknown. */
  address: Type.String(),
  /** The way of signing in, or the kind of key. */
  via: Type.String(),
  reason: Type.String(),
  /** A podcast's title, the names of fields, a file's name. */
  detail: Type.String(),
  facts: AuditFacts,
})
export type AuditEntry = Static<typeof AuditEntry>
