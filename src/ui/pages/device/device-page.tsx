import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { Empty } from '../../components/states'
import { formatBytes } from '../../format'
import { routes } from '../../routes'
import { InfoHeader } from '../../library/headers/info-header'
import { KeptList } from '../../library/kept/kept-list'

/** The episodes kept on this device. Without https, what it would add. */
export function DevicePage() {
  useSignals()
  const { kept } = useApp()
  const { t } = useTranslation()
  const episodes = kept.episodes.value
  const bytes = episodes.reduce((sum, episode) => sum + episode.bytes, 0)
  return (
    <>
      <InfoHeader current={routes.device} />
      {!kept.isPossible && (
        <section className="state">
          <h2>{t('https-would-add')}</h2>
          <ul className="https-would-add">
            {(['install', 'keep', 'sign-in'] as const).map(reason => (
              <li key={reason}>{t(`https-would-add-${reason}`)}</li>
            ))}
          </ul>
          <p className="muted">{t('https-would-add-how')}</p>
        </section>
      )}
      {kept.isPossible && episodes.length === 0 && <Empty>{t('nothing-kept')}</Empty>}
      {episodes.length > 0 && (
        <>
          <h2 className="visually-hidden">{t('episodes')}</h2>
          <p className="muted">
            {t('episodes-count', { count: episodes.length })} · {formatBytes(bytes)}
          </p>
          <KeptList />
        </>
      )}
    </>
  )
}
