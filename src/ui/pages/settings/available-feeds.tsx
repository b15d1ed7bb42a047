import { useSignals } from '@preact/signals-react/runtime'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useApp } from '../../app-context'
import { Loaded } from '../../components/loaded'
import { Empty } from '../../components/states'
import { Table } from '../../components/table'
import { routes } from '../../routes'
import { useResource } from '../../use-resource'

/** The feeds that the user's devices subscribe to and the library lacks, with a button to add each. */
export function AvailableFeeds() {
  useSignals()
  const { api, session, library, toasts, failed } = useApp()
  const { t } = useTranslation()
  const feeds = useResource(api.podcasts.available, [])
  const [adding, setAdding] = useState<string | null>(null)

  async function add(address: string) {
    setAdding(address)
    try {
      const podcast = await library.add(address)
      toasts.done(t('podcast-added', { name: podcast.name }))
      void feeds.retry()
    } catch (failure) {
      failed(failure)
    } finally {
      setAdding(null)
    }
  }
  return (
    <Loaded resource={feeds} rows={3}>
      {list =>
        list.length === 0 ? (
          <Empty icon={RefreshCw} action={<Link href={routes.settingsOf('apps')}>{t('apps-connect')}</Link>}>
            {t('gpodder-empty')}
          </Empty>
        ) : (
          <Table
            title={t('gpodder-available')}
            items={list}
            keyOf={({ device, podcast }) => `${device} ${podcast}`}
            columns={[
              { title: t('device'), render: feed => feed.device },
              { title: t('podcast'), render: feed => feed.podcast, className: 'is-address' },
            ]}
            renderActions={({ podcast }) => (
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
            )}
          />
        )
      }
    </Loaded>
  )
}
