import { useSignals } from '@preact/signals-react/runtime'
import { RefreshCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { Empty } from '../../components/states'
import { SettingGroup, SettingSwitch } from '../../library/forms/setting-row'
import { useFailureNotice } from '../../library/forms/use-failure-notice'
import { useAdministrationApi } from '../../use-administration'
import { useResource } from '../../use-resource'
import { AvailableFeeds } from './available-feeds'
import './gpodder-tab.css'

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
  const { failed } = useApp()
  const api = useAdministrationApi()
  const { t } = useTranslation()
  const { data, error, set } = useResource(api.devices.wishes, [])
  useFailureNotice(error)
  async function choose(autoAdd: boolean) {
    set({ autoAdd })
    try {
      await api.devices.setWishes({ autoAdd })
    } catch (failure) {
      set({ autoAdd: !autoAdd })
      failed(failure)
    }
  }
  return (
    <SettingGroup>
      <SettingSwitch
        label={t('auto-add')}
        help={t('auto-add-help')}
        isOn={data?.autoAdd ?? false}
        isUnknown={data === null}
        onChange={autoAdd => void choose(autoAdd)}
      />
    </SettingGroup>
  )
}
