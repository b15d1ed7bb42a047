import type { TFunction } from 'i18next'
import type { AuditEntry, SettingName, SettingValue } from '../../../shared/api/audit'
import { showName } from '../../../shared/username'

/** Who acted, in words. */
export function whoOf(t: TFunction, { by, actor }: AuditEntry): string {
  if (by === 'user') return showName(actor!.name)
  return actor && actor.name !== '' ? actor.name : t(`activity-by-${by}`)
}

/** Whom and what an act concerns, and by which means, in words. */
export function objectsOf(t: TFunction, entry: AuditEntry): string[] {
  const { topic, about, actor, via, reason } = entry
  const isInChange = entry.kind === 'user-renamed'
  const whom = about && about.name !== actor?.name && !isInChange ? showName(about.name) : ''
  const means = via === '' || topic === 'refused' ? '' : t(`act-via-${viaNames[via] ?? via}`)
  const why = reason === '' ? '' : t(`act-reason-${reason}`)
  return [whom, means, why, ...detailsOf(t, entry)].filter(word => word !== '')
}

/** What changed, in words: a setting as its page calls it, or the name of an account. */
export type ChangeInWords = { of: string; before: string; after: string }

export function changesOf(t: TFunction, { kind, about, actor, detail, facts }: AuditEntry): ChangeInWords[] {
  if (kind === 'user-renamed')
    return [{ of: t('username'), before: showName((about ?? actor)?.name ?? ''), after: showName(detail) }]
  return (facts.changes ?? []).map(({ name, before, after }) => ({
    of: t(`setting-${name}`),
    before: valueIn(t, name, before),
    after: valueIn(t, name, after),
  }))
}

/** Ways and keys that share a word. */
const viaNames: Record<string, string> = { key: 'api-key' }

function detailsOf(t: TFunction, { kind, detail, facts }: AuditEntry): string[] {
  if (facts.changes || kind === 'user-renamed') return []
  if (facts.podcasts) {
    const { added, present, failed } = facts.podcasts
    return [
      detail,
      t('activity-import-added', { count: added }),
      ...(present > 0 ? [t('activity-import-present', { count: present })] : []),
      ...(failed > 0 ? [t('activity-import-failed', { count: failed })] : []),
    ]
  }
  const isRole = kind === 'role-changed' || kind === 'user-added' || kind.startsWith('invite-')
  return [isRole ? roleIn(t, detail) : detail]
}

/** A role in words; what admins allow in addition follows a comma. */
function roleIn(t: TFunction, detail: string): string {
  const [role, explicit] = detail.split(', ')
  return [t(`role-${role}`), ...(explicit ? [t('explicit-content')] : [])].join(', ')
}

/** Values that stand for all. */
const all: Partial<Record<SettingName, SettingValue>> = { keepLast: null, podcastPrefill: 10_000 }

function valueIn(t: TFunction, name: SettingName, value: SettingValue): string {
  if (typeof value === 'boolean') return t(value ? 'setting-is-on' : 'setting-is-off')
  if (name in all && all[name] === value) return t('all')
  if (name === 'replacementStrategy') return t(String(value))
  return value === null || value === '' ? '–' : String(value)
}
