import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { useApp } from '../../app-context'
import { LinkChip } from '../../components/filter-chip'
import { PageHeader } from '../../components/page-header'
import { SegmentedChoice } from '../../components/segments'
import { ListLine } from '../../library/episodes/list-line'
import { routes, yoursKinds, type YoursKind } from '../../routes'
import { useResource } from '../../use-resource'
import { BookmarkList } from './bookmark-list'
import { DeviceList } from './device-list'
import { YourList } from './your-list'
import './yours-page.css'

const labels: Record<YoursKind, string> = {
  liked: 'liked',
  bookmarked: 'bookmarked-list',
  'in-progress': 'in-progress',
  downloaded: 'downloaded',
  history: 'history',
}

/** A user's own episodes, of one kind at a time. The kind is in the address. */
export function YoursPage({ kind }: { kind: YoursKind }) {
  const { t } = useTranslation()
  return (
    <div className="page-list yours" data-kind={kind}>
      <PageHeader title={t('your-episodes')} />
      <h2 className="visually-hidden">{t(labels[kind])}</h2>
      <Content kind={kind} />
    </div>
  )
}

function Kinds({ kind }: { kind: YoursKind }) {
  const { api } = useApp()
  const { t } = useTranslation()
  const counts = useResource((_, _kind: YoursKind) => api.yourEpisodes.counts(), [kind]).data
  const line = useRef<HTMLElement>(null)
  // On a phone the chips do not all fit.
  useEffect(() => {
    line.current!.querySelector('[aria-current]')!.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [kind])
  return (
    <nav className="chip-line" aria-label={t('your-episodes')} ref={line}>
      {yoursKinds.map(one => (
        <LinkChip
          key={one}
          to={routes.yours(one)}
          label={t(labels[one])}
          count={one === 'history' ? undefined : counts?.[one]}
          isCurrent={one === kind}
        />
      ))}
      <span className="yours-playlists">
        <LinkChip to={routes.playlists} label={t('playlists')} isCurrent={false} />
      </span>
    </nav>
  )
}

function Content({ kind }: { kind: YoursKind }) {
  const kinds = <Kinds kind={kind} />
  if (kind === 'bookmarked')
    return (
      <>
        <ListLine>{kinds}</ListLine>
        <BookmarkList />
      </>
    )
  if (kind === 'downloaded') return <Downloaded kinds={kinds} />
  return <YourList key={kind} kind={kind} kinds={kinds} />
}

const DEVICE = 'device'

/** The files on the server, or those on this device: they are different ones. */
function Downloaded({ kinds }: { kinds: ReactNode }) {
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const place = search.has(DEVICE) ? DEVICE : 'server'
  const places = (
    <SegmentedChoice
      label={t('downloaded')}
      value={place}
      choices={[
        { value: 'server', label: t('on-the-server') },
        { value: DEVICE, label: t('on-this-device') },
      ]}
      onChange={chosen => setSearch(chosen === DEVICE ? { [DEVICE]: '' } : {}, { replace: true })}
    />
  )
  if (place !== DEVICE)
    return (
      <YourList kind="downloaded" kinds={kinds}>
        {places}
      </YourList>
    )
  return (
    <>
      <ListLine>{kinds}</ListLine>
      {places}
      <DeviceList />
    </>
  )
}
