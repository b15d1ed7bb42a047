import { Trash2 } from 'lucide-react'
import { useTranslation } from '../../i18n'
import type { Device } from '../../../shared/api/device'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/icon-button'
import { Loaded } from '../../components/loaded'
import { Table } from '../../components/table'
import { formatRelative } from '../../format'
import { useAdministrationApi } from '../../use-administration'
import { useResource } from '../../use-resource'

/** Devices that sync. One that is removed returns with its next sync; its subscriptions belong to the user and stay. */
export function Devices() {
  const { toasts, failed } = useApp()
  const api = useAdministrationApi()
  const { t } = useTranslation()
  const devices = useResource(api.devices.list, [])

  async function remove(device: Device) {
    try {
      await api.devices.remove(device.id)
      toasts.done(t('device-removed', { name: device.caption }))
      void devices.retry()
    } catch (failure) {
      failed(failure)
    }
  }
  return (
    <Loaded resource={devices} rows={2}>
      {list =>
        list.length === 0 ? (
          <HowToConnect />
        ) : (
          <Table
            title={t('devices')}
            items={list}
            keyOf={device => device.id}
            columns={[
              { title: t('device'), render: device => device.caption },
              { title: t('device-type'), render: device => t(`device-${device.type}`) },
              { title: t('last-sync'), render: ({ lastSyncAt }) => (lastSyncAt ? formatRelative(lastSyncAt) : '–') },
            ]}
            renderActions={device => (
              <IconButton
                icon={Trash2}
                label={t('remove-device', { name: device.caption })}
                onClick={() => void remove(device)}
              />
            )}
          />
        )
      }
    </Loaded>
  )
}

function HowToConnect() {
  const { session, prefix } = useApp()
  const { t } = useTranslation()
  return (
    <section className="setting-card gpodder-how">
      <p>{t('gpodder-how')}</p>
      <dl>
        <dt>{t('server-address')}</dt>
        <dd>
          <code>{`${location.origin}${prefix}`}</code>
        </dd>
        <dt>{t('username')}</dt>
        <dd>
          <code>{session.user.value?.username}</code>
        </dd>
      </dl>
    </section>
  )
}
