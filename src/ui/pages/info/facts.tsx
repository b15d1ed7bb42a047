import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { BuildInfo, SysInfo } from '../../../shared/api/info'
import { formatBytes, formatSpan } from '../../format'
import '../../components/figures.css'

/** The library in figures, then the machine; what changes against a limit has a meter of what is used. */
export function Facts({ info, build }: { info: SysInfo; build: BuildInfo | null }) {
  const { t } = useTranslation()
  const { cpus, mem_total, mem_available } = info.system
  return (
    <dl className="figures">
      <Fact name={t('library')} figure={t('podcasts-count', { count: info.library.podcasts })}>
        {t('episodes-count', { count: info.library.episodes })}
      </Fact>
      <Fact name={t('media')} figure={formatBytes(info.podcast_directory)}>
        {t('files-count', { count: info.library.files })}
      </Fact>
      <Fact name={t('database')} figure={formatBytes(info.database_size)} />
      {info.disks.map(({ name, total_space, available_space }) => (
        <Room key={name} name={t('disk', { name })} used={total_space - available_space} total={total_space} />
      ))}
      <Room name={t('memory')} used={mem_total - mem_available} total={mem_total} />
      <Fact name={t('processor')} figure={`${cpus.global} %`} meter={{ value: cpus.global, max: 100 }} />
      <Fact name={t('uptime')} figure={formatSpan(info.uptime)} />
      <Fact name={t('version')} figure={build?.version ?? '–'}>
        {build && [build.commit, build.time, build.os].filter(Boolean).join(' · ')}
      </Fact>
    </dl>
  )
}

/** Bytes in use, of those that there are. */
function Room({ name, used, total }: { name: string; used: number; total: number }) {
  const { t } = useTranslation()
  return (
    <Fact name={name} figure={formatBytes(used)} meter={{ value: used, max: total }}>
      {t('used-of', { total: formatBytes(total) })}
    </Fact>
  )
}

type Props = { name: string; figure: string; meter?: { value: number; max: number }; children?: ReactNode }

function Fact({ name, figure, meter, children }: Props) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="numbers">{figure}</dd>
      {children && <dd className="figures-detail">{children}</dd>}
      {meter && (
        <dd className="figures-meter">
          <progress {...meter} aria-hidden="true" />
        </dd>
      )}
    </div>
  )
}
