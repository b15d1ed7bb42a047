import { Smartphone, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AppPassword, AppSession, Device } from '../../../../shared/api/access'
import { useApp } from '../../../app-context'
import { IconButton } from '../../../components/buttons'
import { Loaded, Empty } from '../../../components/states'
import { Table } from '../../../components/table'
import { formatRelative } from '../../../format'
import { FormDialog } from '../../../library/forms/form-dialog'
import { useAdministrationApi } from '../../../use-administration'
import { useResource } from '../../../use-resource'

/** Apps and devices that reach the library, each with a button that ends its access. */
export function AccessList({ access, remove }: ReturnType<typeof useAccess>) {
  const { toasts, failed } = useApp()
  const { t } = useTranslation()
  const [leaving, setLeaving] = useState<Access | null>(null)

  const describe = (kind: Access['kind'], type: Access['type']) =>
    type ? `${t(`access-${kind}`)} · ${t(`device-${type}`)}` : t(`access-${kind}`)

  /** Being listed gives a device no access, and it returns with its next sync: so there is no confirmation. */
  async function removeDevice(device: Access) {
    try {
      await remove(device)
      toasts.done(t('device-removed', { name: device.name }))
    } catch (failure) {
      failed(failure)
    }
  }
  return (
    <>
      <Loaded resource={access} rows={2}>
        {list =>
          list.length === 0 ? (
            <Empty icon={Smartphone}>{t('apps-none')}</Empty>
          ) : (
            <Table
              title={t('apps-with-access')}
              items={list}
              keyOf={({ kind, id }) => `${kind} ${id}`}
              columns={[
                { title: t('app'), render: ({ name }) => name },
                { title: t('device-type'), render: ({ kind, type }) => describe(kind, type) },
                { title: t('last-used'), render: lastUse },
              ]}
              renderActions={one => (
                <IconButton
                  icon={Trash2}
                  label={t(one.kind === 'device' ? 'remove-device' : 'remove-access', { name: one.name })}
                  onClick={() => (one.kind === 'device' ? void removeDevice(one) : setLeaving(one))}
                />
              )}
            />
          )
        }
      </Loaded>
      {leaving && <EndAccess of={leaving} onEnd={remove} onClose={() => setLeaving(null)} />}
    </>
  )
}

/** Asks before an app loses its access: it has to be signed in again. */
function EndAccess({ of, onEnd, onClose }: { of: Access; onEnd: (of: Access) => Promise<void>; onClose: () => void }) {
  const { toasts } = useApp()
  const { t } = useTranslation()
  async function end() {
    await onEnd(of)
    toasts.done(t('access-removed', { name: of.name }))
  }
  return (
    <FormDialog
      isDanger
      title={t('remove-access', { name: of.name })}
      action={t('end-access')}
      onSubmit={end}
      onClose={onClose}
    >
      <p>{t(`end-access-${of.kind.split('-', 1)[0]}`, { name: of.name })}</p>
    </FormDialog>
  )
}

const lastUse = ({ lastUsedAt, lastAddress }: Access) =>
  lastUsedAt ? (
    <span>
      {formatRelative(lastUsedAt)}
      {lastAddress && <small className="fine faint block breaks">{lastAddress}</small>}
    </span>
  ) : (
    '–'
  )

const REFRESH_MS = 5000

/** The apps and devices with access, refreshed while the page is visible: an app appears as soon as it is connected. */
export function useAccess() {
  const api = useAdministrationApi()
  const access = useResource(async () => {
    const [sessions, passwords, devices] = await Promise.all([
      api.appSessions.list(),
      api.appPasswords.list(),
      api.devices.list(),
    ])
    return listAccess({ sessions, passwords, devices })
  }, [])
  const { retry } = access
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void retry()
    }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [retry])

  async function remove({ kind, id }: Access) {
    const of = kind === 'session' ? api.appSessions : kind === 'device' ? api.devices : api.appPasswords
    await of.remove(id)
    void retry()
  }
  return { access, retry, remove }
}

/** An app or a device that reaches the library. Ids are unique only within their kind. */
type Access = {
  kind: 'session' | 'password' | 'assistant-reads' | 'assistant-changes' | 'device'
  id: string
  name: string
  lastUsedAt: string | null
  /** The kind of a device that syncs. */
  type?: Device['type']
  /** Its last network address; null = unknown. */
  lastAddress: string | null
}

type Lists = {
  sessions: readonly AppSession[]
  passwords: readonly AppPassword[]
  devices: readonly Device[]
}

/** Everything that reaches the library, most recently used first; those never used are at the end. */
export const listAccess = ({ sessions, passwords, devices }: Lists): Access[] =>
  [
    ...sessions.map((session): Access => ({ ...pick(session), kind: 'session' })),
    ...passwords.map((password): Access => ({ ...pick(password), kind: kindOf(password) })),
    ...devices.map(({ id, caption, type, lastSyncAt }): Access => ({
      kind: 'device',
      id,
      name: caption,
      type,
      lastUsedAt: lastSyncAt,
      lastAddress: null,
    })),
  ].toSorted((one, other) => (other.lastUsedAt ?? '').localeCompare(one.lastUsedAt ?? ''))

const kindOf = ({ assistant }: AppPassword): Access['kind'] =>
  assistant === null ? 'password' : assistant === 'reads' ? 'assistant-reads' : 'assistant-changes'

const pick = ({ id, name, lastUsedAt, lastAddress }: AppSession | AppPassword) => ({
  id,
  name,
  lastUsedAt,
  lastAddress: lastAddress || null,
})
