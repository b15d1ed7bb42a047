import { useSignals } from '@preact/signals-react/runtime'
import {
  Archive,
  Import,
  Key,
  LogIn,
  RadioTower,
  ScrollText,
  ShieldAlert,
  Cog,
  UserPen,
  type LucideIcon,
} from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '../../../shared/api/audit'
import { auditTopicNames, type AuditKind, type AuditTopic } from '../../../shared/audit-kinds'
import type { UserSummary } from '../../../shared/api/user'
import { showName } from '../../../shared/username'
import { useApp } from '../../app-context'
import { SelectField } from '../../components/select-field'
import { Empty, Skeleton } from '../../components/states'
import { TextField } from '../../components/text-field'
import { formatMoment } from '../../format'
import { createActivity, type Activity } from '../../state/activity'
import { useAdministrationApi } from '../../use-administration'
import { changesOf, objectsOf, whoOf } from './activity-words'
import { NotAdmin } from './not-admin'
import './activity-tab.css'

/** What people did, the latest first, for admins; by person, kind and day. */
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
    <div className="activity-filters">
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
      <ol className="activity" aria-label={t('activity')}>
        {items.map(entry => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
      {hasMore.value && (
        <button
          type="button"
          className="secondary activity-more"
          disabled={isLoading.value}
          onClick={() => void activity.loadMore()}
        >
          {t('show-more')}
        </button>
      )}
    </>
  )
}

/** Who did what, to whom, when and from where. */
function Entry({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation()
  const { topic, kind, at, since, count, address } = entry
  const Icon = topicIcons[topic]
  const isWarning = topic === 'refused' || warnings.has(kind)
  return (
    <li className={isWarning ? 'is-warning' : undefined}>
      <Icon
        className="activity-icon"
        size={18}
        strokeWidth={1.75}
        role="img"
        aria-label={t(`activity-topic-${topic}`)}
      />
      <b className={entry.by === 'user' ? 'activity-who' : 'activity-who is-nobody'}>
        <bdi>{whoOf(t, entry)}</bdi>
      </b>
      <div className="activity-text">
        <span className="activity-what">
          {t(`act-${kind}`)}
          {objectsOf(t, entry).map(text => (
            <span key={text} className="activity-object">
              {' · '}
              <bdi>{text}</bdi>
            </span>
          ))}
        </span>
        {changesOf(t, entry).map(({ of, before, after }) => (
          <span key={of} className="activity-change">
            {of}: <del>{before}</del> <ins>{after}</ins>
          </span>
        ))}
        <span className="activity-where muted">
          <time dateTime={at}>{formatMoment(at)}</time>
          {count > 1 && ` · ${t('activity-count', { count, time: formatMoment(since) })}`}
          {address && (
            <>
              {' · '}
              <bdi className="activity-address">{address}</bdi>
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
