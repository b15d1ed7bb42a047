import { useSignals } from '@preact/signals-react/runtime'
import { ScrollText } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { AuditEntry } from '../../../shared/api/audit'
import { auditTopicNames } from '../../../shared/audit-kinds'
import type { UserSummary } from '../../../shared/api/user'
import { showName } from '../../../shared/username'
import { useApp } from '../../app-context'
import { SelectField } from '../../components/select-field'
import { Empty, Skeleton } from '../../components/states'
import { TextField } from '../../components/text-field'
import { formatMoment } from '../../format'
import { useTranslation } from '../../i18n'
import type { TFunction } from '../../../shared/texts'
import { createActivity, type Activity } from '../../state/activity'
import { useAdministrationApi } from '../../use-administration'
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
  const { kind, at, since, count, address, via, reason } = entry
  return (
    <li className={entry.topic === 'refused' || kind === 'renewal-reused' ? 'is-warning' : undefined}>
      <b className="activity-who">
        <bdi>{whoOf(t, entry)}</bdi>
      </b>
      <span className="activity-what">
        {t(`act-${kind}`)}
        {objectsOf(t, entry).map(text => (
          <span key={text} className="activity-object">
            {' · '}
            <bdi>{text}</bdi>
          </span>
        ))}
      </span>
      <span className="activity-where muted">
        <time dateTime={at}>{formatMoment(at)}</time>
        {count > 1 && ` · ${t('activity-count', { count, time: formatMoment(since) })}`}
        {via && entry.topic !== 'refused' && ` · ${t(`act-via-${via === 'key' ? 'api-key' : via}`)}`}
        {reason && ` · ${t(`act-reason-${reason}`)}`}
        {address && (
          <>
            {' · '}
            <bdi className="activity-address">{address}</bdi>
          </>
        )}
      </span>
    </li>
  )
}

function whoOf(t: TFunction, { by, actor }: AuditEntry): string {
  if (by === 'user') return showName(actor!.name)
  return actor && actor.name !== '' ? actor.name : t(`activity-by-${by}`)
}

/** Whom and what it concerns. */
function objectsOf(t: TFunction, { kind, about, actor, detail }: AuditEntry): string[] {
  const whom = about && about.name !== actor?.name ? [showName(about.name)] : []
  if (detail === '') return whom
  return [
    ...whom,
    kind === 'role-changed' || kind === 'user-added' || kind.startsWith('invite-') ? roleIn(t, detail) : detail,
  ]
}

/** A role in words; what admins allow beside it follows a comma. */
function roleIn(t: TFunction, detail: string): string {
  const [role, explicit] = detail.split(', ')
  return [t(`role-${role}`), ...(explicit ? [t('explicit-content')] : [])].join(', ')
}
