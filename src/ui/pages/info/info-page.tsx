import { useSignals } from '@preact/signals-react/runtime'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import type { SysInfo } from '../../../shared/api/info'
import { BarChart } from '../../components/bar-chart'
import { Loaded } from '../../components/loaded'
import { formatBytes } from '../../format'
import { InfoHeader } from '../../library/headers/info-header'
import { useAdministrationApi } from '../../use-administration'
import { useResource } from '../../use-resource'
import { Facts } from './facts'
import { SetAside } from './set-aside'
import { FeedChecks } from './feed-checks'
import { Updates } from './updates'
import './info-page.css'

const REFRESH_MS = 5000

/** The machine and the library at a glance, refreshed every five seconds while the page is open. */
export function InfoPage() {
  useSignals()
  const { t } = useTranslation()
  const { isAdmin } = useApp().session
  const api = useAdministrationApi()
  const info = useResource((_, isAdmin: boolean) => loadInfo(api, isAdmin), [isAdmin.value])
  const { retry } = info
  useEffect(() => {
    const timer = setInterval(() => void retry(), REFRESH_MS)
    return () => clearInterval(timer)
  }, [retry])
  return (
    <>
      <InfoHeader title={t('system-info')} />
      <Loaded resource={info} rows={4}>
        {({ system, build, update, setAside }) => (
          <div className="info">
            <SetAside items={setAside} onRetried={() => void retry()} />
            {update?.isOn && <Updates update={update} />}
            <Facts info={system} build={build} />
            <MediaChart info={system} />
            <FeedChecks />
          </div>
        )}
      </Loaded>
    </>
  )
}

/** Loads all that the page shows, so that nothing moves; without the version or the notice it is shown all the same. */
async function loadInfo({ info, setAside }: ReturnType<typeof useAdministrationApi>, isAdmin: boolean) {
  const [system, build, update, items] = await Promise.all([
    info.system(),
    info.build().catch(() => null),
    isAdmin ? info.update().catch(() => null) : null,
    isAdmin ? setAside.list().catch(() => []) : [],
  ])
  return { system, build, update, setAside: items }
}

/** The size of the downloaded files of each podcast; nothing before the first download. */
function MediaChart({ info: { library } }: { info: SysInfo }) {
  const { t } = useTranslation()
  if (library.byPodcast.length === 0) return null
  return (
    <section>
      <h2>{t('media-by-podcast')}</h2>
      <BarChart
        title={t('media-by-podcast')}
        bars={library.byPodcast.map(({ name, bytes }) => ({ label: name, value: bytes, text: formatBytes(bytes) }))}
      />
    </section>
  )
}
