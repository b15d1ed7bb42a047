import { Smartphone, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../../app-context'
import { IconButton } from '../../../components/icon-button'
import { Loaded } from '../../../components/loaded'
import { Empty } from '../../../components/states'
import { Table } from '../../../components/table'
import { formatRelative } from '../../../format'
import { FormDialog } from '../../../library/forms/form-dialog'
import type { Access } from './access'
import type { useAccess } from './use-access'

/** Apps and devices that reach the library, each with a button that ends its access. */
export function AccessList({ access, remove }: ReturnType<typeof useAccess>) {
  const { toasts, failed } = useApp()
  const { t } = useTranslation()
  const [leaving, setLeaving] = useState<Access | null>(null)

  const describe = (kind: Access['kind'], type: Access['type']) =>
    type ? `${t(`access-${kind}`)} · ${t(`device-${type}`)}` : t(`access-${kind}`)

  /** A device gets nothing by being listed: it returns with its next sync, so nobody is asked. */
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
      {lastAddress && <small className="meta">{lastAddress}</small>}
    </span>
  ) : (
    '–'
  )
