import { useSignals } from '@preact/signals-react/runtime'
import { Smartphone } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { Empty } from '../../components/states'
import { formatBytes } from '../../format'
import { KeptList } from '../../library/kept/kept-list'

/** The episodes kept on this device. Without https, what it would add. */
export function DeviceList() {
  useSignals()
  const { kept } = useApp()
  const { t } = useTranslation()
  const episodes = kept.episodes.value
  const bytes = episodes.reduce((sum, episode) => sum + episode.bytes, 0)
  if (!kept.isPossible && episodes.length === 0) return <HttpsWouldAdd />
  if (episodes.length === 0) return <Empty icon={Smartphone}>{t('nothing-kept')}</Empty>
  return (
    <>
      <p className="muted numbers">
        {t('episodes-count', { count: episodes.length })} · {formatBytes(bytes)}
      </p>
      <KeptList />
    </>
  )
}

function HttpsWouldAdd() {
  const { t } = useTranslation()
  return (
    <section className="state">
      <h3>{t('https-would-add')}</h3>
      <ul className="https-would-add">
        {(['install', 'keep', 'sign-in'] as const).map(reason => (
          <li key={reason}>{t(`https-would-add-${reason}`)}</li>
        ))}
      </ul>
      <p className="muted">{t('https-would-add-how')}</p>
    </section>
  )
}
