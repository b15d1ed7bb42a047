import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../format'
import { useAdministrationApi } from '../../use-administration'
import { useResource } from '../../use-resource'
import '../../components/tables.css'

type Props = { running: number; bytesPerSecond: number; waiting: number; needs: number }

/**
 * Four figures: what runs, what waits, what needs attention, and the free disk space. Without downloads, only the
 * latter.
 */
export function Figures({ running, bytesPerSecond, waiting, needs }: Props) {
  const { t } = useTranslation()
  const api = useAdministrationApi()
  const { data, error } = useResource(api.info.system, [])
  const disk = data?.disks.at(-1)
  const isIdle = running + waiting + needs === 0
  const isLoading = data === null && error === null
  if (isIdle && !disk && !isLoading) return null
  return (
    <dl className="figures">
      {!isIdle && (
        <>
          <div className="card">
            <dt>
              {t('figure-running')}
              {bytesPerSecond > 0 && ` · ${t('per-second', { bytes: formatBytes(bytesPerSecond) })}`}
            </dt>
            <dd className="numbers">{running}</dd>
          </div>
          <div className="card">
            <dt>{t('figure-waiting')}</dt>
            <dd className="numbers">{waiting}</dd>
          </div>
          <div className="card">
            <dt>{t('figure-needs')}</dt>
            <dd className={`numbers ${needs > 0 ? 'is-severe' : ''}`}>{needs}</dd>
          </div>
        </>
      )}
      {(disk || isLoading) && (
        <div className="card">
          <dt>{t('figure-free', { total: disk ? formatBytes(disk.total_space) : '…' })}</dt>
          <dd className="numbers">{disk ? formatBytes(disk.available_space) : '…'}</dd>
          <dd className="figures-meter">
            <progress
              value={disk ? disk.total_space - disk.available_space : 0}
              max={disk?.total_space ?? 1}
              aria-hidden="true"
            />
          </dd>
        </div>
      )}
    </dl>
  )
}
