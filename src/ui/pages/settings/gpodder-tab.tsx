import { useSignals } from '@preact/signals-react/runtime'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AvailableFeed } from '../../../shared/api/podcast'
import { useApp } from '../../app-state'
import { Empty, Failed, Skeleton } from '../../components/states'
import '../../components/table.css'

/** What devices are subscribed to and the library has not: each can be added. */
export function GpodderTab() {
  useSignals()
  const { api, session, library, toasts, failed } = useApp()
  const { t } = useTranslation()
  const [feeds, setFeeds] = useState<readonly AvailableFeed[] | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [adding, setAdding] = useState<string | null>(null)
  const load = useCallback(() => {
    setError(null)
    api.podcasts.available().then(setFeeds, setError)
  }, [api])
  useEffect(load, [load])

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
  if (session.isOpen.value) return <Empty>{t('gpodder-off')}</Empty>
  if (error !== null) return <Failed error={error} onRetry={load} />
  if (!feeds) return <Skeleton kind="row" count={3} />
  if (feeds.length === 0) return <Empty>{t('gpodder-empty')}</Empty>
  return (
    <table className="table">
      <caption className="visually-hidden">{t('settings-gpodder')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('device')}</th>
          <th scope="col">{t('podcast')}</th>
          <th scope="col">
            <span className="visually-hidden">{t('actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
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
      </tbody>
    </table>
  )
}
