import { useSignals } from '@preact/signals-react/runtime'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { isPublished, releasePage } from '../../../shared/origin'
import type { BuildInfo, SysInfo, UpdateNotice } from '../../../shared/api/system'
import { BarChart } from '../../components/table'
import { Loaded } from '../../components/states'
import { formatRelative } from '../../format'
import { formatBytes, formatSpan } from '../../format-facts'
import { InfoHeader } from '../../library/headers'
import { useAdministrationApi } from '../../use-administration'
import { useResource } from '../../use-resource'
import './info.css'
import type { SetAsideItem } from '../../../shared/api/job'
import { BusyButton } from '../../components/buttons'
import { useAction } from '../../components/use-action'
import { Link } from 'wouter'
import type { KnownPodcast } from '../../../shared/api/podcast'
import { routes } from '../../routes'
import '../../components/tables.css'

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
          <div className="info list-width">
            <SetAside items={setAside} onRetried={() => void retry()} />
            {update?.isOn && <Updates update={update} />}
            <Facts info={system} build={build} isAdmin={isAdmin.value} />
            <MediaChart info={system} />
            <FeedChecks />
          </div>
        )}
      </Loaded>
    </>
  )
}

/** Loads everything that the page shows, so that nothing moves; it is also shown without the version or the notice. */
async function loadInfo({ info, setAside }: ReturnType<typeof useAdministrationApi>, isAdmin: boolean) {
  const [system, build, update, items] = await Promise.all([
    info.system(),
    isAdmin ? info.build().catch(() => null) : null,
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
    <section className="card padded">
      <h2>{t('media-by-podcast')}</h2>
      <BarChart
        title={t('media-by-podcast')}
        bars={library.byPodcast.map(({ name, bytes }) => ({ label: name, value: bytes, text: formatBytes(bytes) }))}
      />
    </section>
  )
}

/** Whether there is a newer version; if the configuration has a check for it. */
function Updates({ update }: { update: UpdateNotice }) {
  const { t } = useTranslation()
  const { checkedAt, failure } = update
  return (
    <section className="card padded">
      <h2>{t('updates')}</h2>
      <Newer update={update} />
      <p className="flush muted">
        {checkedAt ? t('update-checked', { when: formatRelative(checkedAt) }) : t('update-unchecked')}
      </p>
      {failure && (
        <p className="flush field-failure">{t(`update-failure-${failure.reason}`, { status: failure.status ?? '' })}</p>
      )}
    </section>
  )
}

function Newer({ update: { newer, checkedAt, failure } }: { update: UpdateNotice }) {
  const { t } = useTranslation()
  if (!newer) return checkedAt && !failure ? <p className="flush">{t('update-none')}</p> : null
  const text = t('update-available', { version: newer.version })
  return (
    <>
      <p className="flush">
        {newer.url ? (
          <a href={newer.url} target="_blank" rel="noopener noreferrer">
            {text}
          </a>
        ) : (
          text
        )}
      </p>
      {newer.notes && <p className="flush">{newer.notes}</p>}
    </>
  )
}

/** Kinds with only one item, whose label adds nothing. */
const single: ReadonlySet<SetAsideItem['kind']> = new Set(['backup', 'check'])

/** Work that the server no longer begins, since it stopped twice during it; each can be tried again. */
export function SetAside({ items, onRetried }: { items: readonly SetAsideItem[]; onRetried: () => void }) {
  const { t } = useTranslation()
  if (items.length === 0) return null
  return (
    <section className="card padded">
      <h2>{t('set-aside')}</h2>
      <p className="muted">{t('set-aside-text')}</p>
      <ul className="info-set-aside lined">
        {items.map(item => (
          <Item key={`${item.kind} ${item.key}`} item={item} onRetried={onRetried} />
        ))}
      </ul>
    </section>
  )
}

function Item({ item, onRetried }: { item: SetAsideItem; onRetried: () => void }) {
  const { failed } = useApp()
  const { t } = useTranslation()
  const { setAside } = useAdministrationApi()
  const retrying = useAction(() => setAside.retry(item).then(onRetried), failed)
  const kind = t(`set-aside-kind.${item.kind}`)
  const isNamed = item.label !== '' && !single.has(item.kind)
  // With several buttons, a screen reader says what each is for.
  const name = `${t('try-again')}: ${isNamed ? item.label : kind}`
  return (
    <li className="row wrap gap-8 x-16">
      <span className="shrinks">
        {isNamed ? <bdi>{item.label}</bdi> : kind}
        <span className="muted block">
          {isNamed && `${kind} · `}
          {formatRelative(item.since)}
        </span>
      </span>
      <BusyButton
        className="secondary small rigid"
        aria-label={name}
        isBusy={retrying.isBusy}
        onClick={() => retrying.run()}
      >
        {t('try-again')}
      </BusyButton>
    </li>
  )
}

const MAX_SHOWN = 8

/** The feeds that fail, and those that were checked last. */
function FeedChecks() {
  useSignals()
  const { library, feedChecks, failed } = useApp()
  const { t } = useTranslation()
  const podcasts = library.all.value
  const failing = podcasts.filter(({ last_error }) => last_error !== null)
  useEffect(() => void feedChecks.load().catch(failed), [feedChecks, failed])
  const latest = podcasts
    .flatMap(podcast => {
      const checkedAt = feedChecks.byId.value.get(podcast.id)?.last_checked_at
      return checkedAt ? [{ ...podcast, checkedAt }] : []
    })
    .toSorted((one, other) => other.checkedAt.localeCompare(one.checkedAt))
    .slice(0, MAX_SHOWN)
  return (
    <>
      <FeedList
        title={t('failing-feeds')}
        podcasts={failing}
        textOf={({ last_error }) => t(`feed-error.${last_error!.errorCode}`, { defaultValue: last_error!.message })}
      />
      <FeedList title={t('last-checks')} podcasts={latest} textOf={({ checkedAt }) => formatRelative(checkedAt)} />
    </>
  )
}

type Props<T> = { title: string; podcasts: readonly T[]; textOf: (podcast: T) => ReactNode }

function FeedList<T extends KnownPodcast>({ title, podcasts, textOf }: Props<T>) {
  if (podcasts.length === 0) return null
  return (
    <section className="card padded">
      <h2>{title}</h2>
      <ul className="info-feeds">
        {podcasts.map(podcast => (
          <li className="wrap spread x-24" key={podcast.id}>
            <Link className="shrinks" href={routes.episodes(podcast.id)}>
              {podcast.name}
            </Link>
            <span className="muted">{textOf(podcast)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

type LibraryProps = { info: SysInfo; build: BuildInfo | null; isAdmin: boolean }

/** The library in figures, then, for admins, the machine; values with a limit have a meter of their use. */
function Facts({ info, build, isAdmin }: LibraryProps) {
  const { t } = useTranslation()
  return (
    <dl className="figures stack gap-12">
      <Fact name={t('library')} figure={t('podcasts-count', { count: info.library.podcasts })}>
        {t('episodes-count', { count: info.library.episodes })}
      </Fact>
      <Fact name={t('media')} figure={formatBytes(info.podcast_directory)}>
        {t('files-count', { count: info.library.files })}
      </Fact>
      {isAdmin && <MachineFacts info={info} build={build} />}
    </dl>
  )
}

function MachineFacts({ info, build }: Omit<LibraryProps, 'isAdmin'>) {
  const { t } = useTranslation()
  const { cpus, mem_total, mem_available } = info.system
  return (
    <>
      <Fact name={t('database')} figure={formatBytes(info.database_size)} />
      {info.disks.map(({ name, total_space, available_space }) => (
        <Room key={name} name={t('disk', { name })} used={total_space - available_space} total={total_space} />
      ))}
      <Room name={t('memory')} used={mem_total - mem_available} total={mem_total} />
      <Fact name={t('processor')} figure={`${cpus.global} %`} meter={{ value: cpus.global, max: 100 }} />
      <Fact name={t('uptime')} figure={formatSpan(info.uptime)} />
      <Fact name={t('version')} figure={build?.version ?? '–'}>
        {build && [build.commit, build.time, build.os].filter(Boolean).join(' · ')}
        {isPublished && (
          <>
            {' · '}
            <a href={releasePage} rel="noreferrer" target="_blank">
              {new URL(releasePage).host}
            </a>
          </>
        )}
      </Fact>
    </>
  )
}

/** Bytes in use, and the total. */
function Room({ name, used, total }: { name: string; used: number; total: number }) {
  const { t } = useTranslation()
  return (
    <Fact name={name} figure={formatBytes(used)} meter={{ value: used, max: total }}>
      {t('used-of', { total: formatBytes(total) })}
    </Fact>
  )
}

type FactsProps = { name: string; figure: string; meter?: { value: number; max: number }; children?: ReactNode }

function Fact({ name, figure, meter, children }: FactsProps) {
  return (
    <div className="card">
      <dt className="muted regular">{name}</dt>
      <dd className="numbers">{figure}</dd>
      {children && <dd className="figures-detail muted fine regular breaks">{children}</dd>}
      {meter && (
        <dd className="figures-meter">
          <progress {...meter} aria-hidden="true" />
        </dd>
      )}
    </div>
  )
}
