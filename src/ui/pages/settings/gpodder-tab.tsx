import { useSignals } from '@preact/signals-react/runtime'
import { RefreshCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { Empty, Loaded } from '../../components/states'
import { SettingGroup, SettingSwitch, useSetting } from '../../library/forms/setting-row'
import { useFailureNotice } from '../../library/forms/form-dialog'
import { useAdministrationApi } from '../../use-administration'
import { useResource } from '../../use-resource'
import { useState } from 'react'
import { Link } from 'wouter'
import { Table } from '../../components/table'
import { routes } from '../../routes'

/** The feeds that podcast apps follow and the library lacks. */
export function GpodderTab() {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  if (session.isOpen.value) return <Empty icon={RefreshCw}>{t('gpodder-off')}</Empty>
  if (!session.config.value?.podcastSync) return <Empty icon={RefreshCw}>{t('apps-off-text')}</Empty>
  return (
    <>
      <h2>{t('gpodder-available')}</h2>
      <AutoAdd />
      <AvailableFeeds />
    </>
  )
}

/** Switches whether the server adds those feeds automatically. */
function AutoAdd() {
  const api = useAdministrationApi()
  const { t } = useTranslation()
  const { data, error, set } = useResource(api.devices.wishes, [])
  useFailureNotice(error)
  const { value, ...setting } = useSetting(data?.autoAdd ?? false, async autoAdd => {
    await api.devices.setWishes({ autoAdd })
    set({ autoAdd })
  })
  return (
    <SettingGroup>
      <SettingSwitch
        label={t('auto-add')}
        help={t('auto-add-help')}
        isOn={value}
        isUnknown={data === null}
        {...setting}
      />
    </SettingGroup>
  )
}

/** The feeds that the user's devices subscribe to and the library lacks, with a button to add each. */
function AvailableFeeds() {
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
