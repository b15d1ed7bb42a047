import { useSignals } from '@preact/signals-react/runtime'
import { Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '../../../shared/api/device'
import { useAdministrationApi } from '../../use-administration'
import { useApp } from '../../app-context'
import { Empty, Failed, Skeleton } from '../../components/states'
import { IconButton } from '../../components/icon-button'
import { Switch } from '../../components/switch'
import { Table } from '../../components/table'
import { formatRelative } from '../../format'
import { useLoaded } from '../../use-loaded'
import './gpodder-tab.css'

/** Podcast apps that sync, and what they are subscribed to and the library has not. */
export function GpodderTab() {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  if (session.isOpen.value) return <Empty>{t('gpodder-off')}</Empty>
  return (
    <div className="gpodder">
      <Devices />
      <h2>{t('gpodder-available')}</h2>
      <AutoAdd />
      <AvailableFeeds />
    </div>
  )
}

/** Each can be added. */
function AvailableFeeds() {
  useSignals()
  const { api, session, library, toasts, failed } = useApp()
  const { t } = useTranslation()
  const { data: feeds, error, load } = useLoaded(api.podcasts.available)
  const [adding, setAdding] = useState<string | null>(null)

  async function add(address: string) {
    setAdding(address)
    try {
      const podcast = await library.add(address)
      toasts.done(t('podcast-added', { name: podcast.name }))
      load()
    } catch (failure) {
      failed(failure)
    } finally {
      setAdding(null)
    }
  }
  if (error !== null) return <Failed error={error} onRetry={load} />
  if (!feeds) return <Skeleton kind="row" count={3} />
  if (feeds.length === 0) return <Empty>{t('gpodder-empty')}</Empty>
  return (
    <Table title={t('gpodder-available')} columns={[t('device'), t('podcast')]}>
      {feeds.map(({ device, podcast }) => (
        <tr key={`${device} ${podcast}`}>
          <th scope="row">{device}</th>
          <td data-label={t('podcast')} className="is-address">
            {podcast}
          </td>
          <td className="table-actions">
            <button
              type="button"
              className="secondary"
              disabled={adding !== null || !session.mayAdd.value}
              aria-busy={adding === podcast}
              aria-label={t('add-named', { name: podcast })}
              onClick={() => void add(podcast)}
            >
              {t('add')}
            </button>
          </td>
        </tr>
      ))}
    </Table>
  )
}

/** A device that is removed comes back when it syncs again; its subscriptions are everybody's and stay. */
function Devices() {
  const { session, prefix, toasts, failed } = useApp()
  const api = useAdministrationApi()
  const { t } = useTranslation()
  const { data: devices, error, load } = useLoaded(api.devices.list)

  async function remove(device: Device) {
    try {
      await api.devices.remove(device.id)
      toasts.done(t('device-removed', { name: device.caption }))
      load()
    } catch (failure) {
      failed(failure)
    }
  }
  if (error !== null) return <Failed error={error} onRetry={load} />
  if (!devices) return <Skeleton kind="row" count={2} />
  if (devices.length === 0)
    return (
      <section className="gpodder-how">
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
  return (
    <Table title={t('devices')} columns={[t('device'), t('device-type'), t('last-sync')]}>
      {devices.map(device => (
        <tr key={device.id}>
          <th scope="row">{device.caption}</th>
          <td data-label={t('device-type')}>{t(`device-${device.type}`)}</td>
          <td data-label={t('last-sync')}>{device.lastSyncAt ? formatRelative(device.lastSyncAt) : '–'}</td>
          <td className="table-actions">
            <IconButton
              icon={Trash2}
              label={t('remove-device', { name: device.caption })}
              onClick={() => void remove(device)}
            />
          </td>
        </tr>
      ))}
    </Table>
  )
}

function AutoAdd() {
  const { failed } = useApp()
  const api = useAdministrationApi()
  const { t } = useTranslation()
  const [isOn, setOn] = useState<boolean | null>(null)
  useEffect(() => void api.devices.wishes().then(({ autoAdd }) => setOn(autoAdd), failed), [api, failed])
  if (isOn === null) return null
  function choose(autoAdd: boolean) {
    setOn(autoAdd)
    api.devices.setWishes({ autoAdd }).catch((error: unknown) => {
      setOn(!autoAdd)
      failed(error)
    })
  }
  return <Switch label={t('auto-add')} help={t('auto-add-help')} isOn={isOn} onChange={choose} />
}
