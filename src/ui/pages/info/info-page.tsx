import { useEffect } from 'react'
import { useTranslation } from '../../i18n'
import type { SysInfo } from '../../../shared/api/info'
import { BarChart } from '../../components/bar-chart'
import { Loaded } from '../../components/loaded'
import { formatBytes } from '../../format'
import { InfoHeader } from '../../library/headers/info-header'
import { useAdministrationApi } from '../../use-administration'
import { useResource } from '../../use-resource'
import { Facts } from './facts'
import { FeedChecks } from './feed-checks'
import { Updates } from './updates'
import './info-page.css'

const REFRESH_MS = 5000

/** The machine and the library at a glance, refreshed every five seconds while the page is open. */
export function InfoPage() {
  const { t } = useTranslation()
  const api = useAdministrationApi()
  const info = useResource(api.info.system, [])
  const build = useResource(api.info.build, [])
  const { retry } = info
  useEffect(() => {
    const timer = setInterval(() => void retry(), REFRESH_MS)
    return () => clearInterval(timer)
  }, [retry])
  return (
    <>
      <InfoHeader title={t('system-info')} />
      <Loaded resource={info} rows={4}>
        {data => (
          <div className="info">
            <Updates />
            <Facts info={data} build={build.data} />
            <MediaChart info={data} />
            <FeedChecks />
          </div>
        )}
      </Loaded>
    </>
  )
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
