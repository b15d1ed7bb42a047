import { useSignals } from '@preact/signals-react/runtime'
import {
  Archive,
  Cog,
  Import,
  Key,
  LogIn,
  type LucideIcon,
  RadioTower,
  ScrollText,
  ShieldAlert,
  UserPen,
} from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditEntry, SettingName, SettingValue } from '../../../shared/api/audit'
import { type AuditKind, type AuditTopic, auditTopicNames } from '../../../shared/audit-kinds'
import type { UserSummary } from '../../../shared/api/user'
import { showName } from '../../../shared/username'
import { useApp } from '../../app-context'
import { SelectField, TextField } from '../../components/fields'
import { Empty, Skeleton } from '../../components/states'
import { formatMoment } from '../../format'
import { type Activity, createActivity } from '../../state/administration'
import { useAdministrationApi } from '../../use-administration'
import { NotAdmin } from './parts'
import './administration.css'
import type { TFunction } from 'i18next'

/** The acts of people, latest first, for admins; filtered by person, kind and day. */
export function ActivityTab() {
  useSignals()
  const { api, session } = useApp()
  const { audit } = useAdministrationApi()
  const [activity] = useState(() => createActivity(audit))
  const [users, setUsers] = useState<readonly UserSummary[]>([])
  const role = session.user.value?.role
  useEffect(() => {
    void activity.load()
    // Without them the filter by person has nobody to choose; why they are missing, the list says as well.
    void api.users.list().then(setUsers, () => {})
    return activity.cancel
  }, [activity, api, role])
  return (
    <>
      <Filters activity={activity} users={users} />
      <Entries activity={activity} />
    </>
  )
}

function Filters({ activity, users }: { activity: Activity; users: readonly UserSummary[] }) {
  useSignals()
  const { t } = useTranslation()
  const { person, topic, day } = activity.filter.value
  const names = new Map(users.map(({ id, username }) => [id, showName(username)]))
  return (
    <div className="activity-filters gap-12 x-16 stack spaced">
      <SelectField
        label={t('activity-person')}
        value={person}
        options={['', ...names.keys()]}
        textOf={id => names.get(id) ?? t('activity-everybody')}
        onChange={person => void activity.setFilter({ person })}
      />
      <SelectField
        label={t('activity-topic')}
        value={topic}
        options={['', ...auditTopicNames]}
        textOf={topic => t(topic === '' ? 'activity-all' : `activity-topic-${topic}`)}
        onChange={topic => void activity.setFilter({ topic })}
      />
      <TextField label={t('activity-day')} type="date" value={day} onChange={day => void activity.setFilter({ day })} />
    </div>
  )
}

function Entries({ activity }: { activity: Activity }) {
  useSignals()
  const { t } = useTranslation()
  const { isFiltered, isLoading, error, hasMore } = activity
  const items = activity.items.value ?? []
  if (error.value && !isLoading.value) return <NotAdmin error={error.value} onRetry={() => void activity.retry()} />
  if (!activity.items.value) return <Skeleton kind="row" count={8} />
  if (items.length === 0)
    return <Empty icon={ScrollText}>{t(isFiltered.value ? 'activity-none-chosen' : 'activity-none')}</Empty>
  return (
    <>
      <ol className="activity ruled" aria-label={t('activity')}>
        {items.map(entry => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
      {hasMore.value && (
        <button
          type="button"
          className="secondary above-16"
          disabled={isLoading.value}
          onClick={() => void activity.loadMore()}
        >
          {t('show-more')}
        </button>
      )}
    </>
  )
}

/** One act: its actor, object, time and address. */
function Entry({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation()
  const { topic, kind, at, since, count, address } = entry
  const Icon = topicIcons[topic]
  const isWarning = topic === 'refused' || warnings.has(kind)
  return (
    <li className={`stack gap-2 x-12 breaks ${isWarning ? 'is-warning' : ''}`}>
      <Icon
        className="activity-icon faint"
        size={18}
        strokeWidth={1.75}
        role="img"
        aria-label={t(`activity-topic-${topic}`)}
      />
      <strong className={entry.by === 'user' ? 'activity-who' : 'activity-who is-nobody'}>
        <bdi>{whoOf(t, entry)}</bdi>
      </strong>
      <div className="activity-text stack gap-2">
        <span className="activity-what">
          {t(`act-${kind}`)}
          {objectsOf(t, entry).map(text => (
            <span key={text}>
              {' · '}
              <bdi>{text}</bdi>
            </span>
          ))}
        </span>
        {changesOf(t, entry).map(({ of, before, after }) => (
          <span key={of} className="activity-change">
            {of}: <del>{before}</del> <ins className="undecorated">{after}</ins>
          </span>
        ))}
        <span className="activity-where numbers muted">
          <time dateTime={at}>{formatMoment(at)}</time>
          {count > 1 && ` · ${t('activity-count', { count, time: formatMoment(since) })}`}
          {address && (
            <>
              {' · '}
              <bdi>{address}</bdi>
            </>
          )}
        </span>
      </div>
    </li>
  )
}

const topicIcons: Record<AuditTopic, LucideIcon> = {
  'sign-in': LogIn,
  refused: ShieldAlert,
  keys: Key,
  accounts: UserPen,
  settings: Cog,
  podcasts: RadioTower,
  imports: Import,
  backups: Archive,
}
/** Kinds that somebody should look into. */
const warnings: ReadonlySet<AuditKind> = new Set(['renewal-reused', 'code-wanted', 'backup-failed'])

/** Names the actor of an entry. */
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

/** A change in words: a setting as its page calls it, or the name of an account. */
type ChangeInWords = { of: string; before: string; after: string }

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
