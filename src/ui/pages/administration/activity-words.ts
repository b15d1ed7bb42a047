import type { AuditEntry, SettingName, SettingValue } from '../../../shared/api/audit'
import type { TFunction } from '../../../shared/texts'
import { showName } from '../../../shared/username'

/** Who acted, in words. */
export function whoOf(t: TFunction, { by, actor }: AuditEntry): string {
  if (by === 'user') return showName(actor!.name)
  return actor && actor.name !== '' ? actor.name : t(`activity-by-${by}`)
}

/** Whom and what an act concerns, and by which means, in words. */
export function objectsOf(t: TFunction, entry: AuditEntry): string[] {
  const { kind, topic, about, actor, via, reason } = entry
  const whom = about && about.name !== actor?.name ? showName(about.name) : ''
  const means = via === '' || topic === 'refused' ? '' : t(`act-via-${viaNames[via] ?? via}`)
  const why = reason === '' ? '' : t(`act-reason-${reason}`)
  const words = kind === 'user-renamed' ? [renaming(entry)] : [whom, means, why, ...detailsOf(t, entry)]
  return words.filter(word => word !== '')
}

/** Ways and keys that share a word. */
const viaNames: Record<string, string> = { key: 'api-key' }

function renaming({ about, actor, detail }: AuditEntry): string {
  const before = about ?? actor
  return before ? `${showName(before.name)} → ${showName(detail)}` : showName(detail)
}

function detailsOf(t: TFunction, { kind, detail, facts }: AuditEntry): string[] {
  if (facts.changes) return facts.changes.map(change => changeIn(t, change))
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

/** A role in words; what admins allow beside it follows a comma. */
function roleIn(t: TFunction, detail: string): string {
  const [role, explicit] = detail.split(', ')
  return [t(`role-${role}`), ...(explicit ? [t('explicit-content')] : [])].join(', ')
}

type Change = { name: SettingName; before: SettingValue; after: SettingValue }

/** A setting as its page calls it, before and after. */
const changeIn = (t: TFunction, { name, before, after }: Change) =>
  `${t(`setting-${name}`)}: ${valueIn(t, name, before)} → ${valueIn(t, name, after)}`

/** Values that stand for all. */
const all: Partial<Record<SettingName, SettingValue>> = { keepLast: null, podcastPrefill: 10_000 }

function valueIn(t: TFunction, name: SettingName, value: SettingValue): string {
  if (typeof value === 'boolean') return t(value ? 'setting-is-on' : 'setting-is-off')
  if (name in all && all[name] === value) return t('all')
  if (name === 'replacementStrategy') return t(String(value))
  return value === null || value === '' ? '–' : String(value)
}
