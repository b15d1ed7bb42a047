import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'wouter'
import { useApp } from '../../app-context'
import { LinkChip } from '../../components/filter-chip'
import { PageHeader } from '../../components/page-header'
import { SegmentedChoice } from '../../components/segments'
import { ListLine } from '../../library/episodes/list-line'
import { type YourList, yourLists } from '../../../shared/choices'
import { routes } from '../../routes'
import { useResource } from '../../use-resource'
import { useYourList, YourEpisodes, type YourRow } from './your-episodes'
import './yours.css'
import { useSignals } from '@preact/signals-react/runtime'
import { Bookmark, Download, Ellipsis, Smartphone, Trash2 } from 'lucide-react'
import { Empty } from '../../components/states'
import { formatBytes } from '../../format-facts'
import { KeptList } from '../../library/kept/kept-list'
import { EpisodeList } from '../../library/episodes/episode-list'
import { formatDuration } from '../../../shared/duration'
import { Menu } from '../../components/menu'
import { saveFile } from '../../device/share'
import { EpisodeCover } from '../../library/covers'

const labels: Record<YourList, string> = {
  liked: 'liked',
  bookmarked: 'bookmarked-list',
  'in-progress': 'in-progress',
  downloaded: 'downloaded',
  history: 'history',
}

/** A user's own episodes, of one kind at a time. The kind is in the address. */
export function YoursPage({ kind }: { kind: YourList }) {
  const { t } = useTranslation()
  return (
    <div className="page-list list-width yours" data-kind={kind}>
      <PageHeader title={t('your-episodes')} />
      <h2 className="visually-hidden">{t(labels[kind])}</h2>
      <Content kind={kind} />
    </div>
  )
}

function Kinds({ kind }: { kind: YourList }) {
  const { api } = useApp()
  const { t } = useTranslation()
  const counts = useResource((_, _kind: YourList) => api.yourEpisodes.counts(), [kind]).data
  const line = useRef<HTMLElement>(null)
  // On a phone the chips do not all fit.
  useEffect(() => {
    line.current!.querySelector('[aria-current]')!.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [kind])
  return (
    <nav className="chip-line row gap-8" aria-label={t('your-episodes')} ref={line}>
      {yourLists.map(one => (
        <LinkChip
          key={one}
          to={routes.yours(one)}
          label={t(labels[one])}
          count={one === 'history' ? undefined : counts?.[one]}
          isCurrent={one === kind}
        />
      ))}
      <span className="on-phone row">
        <LinkChip to={routes.playlists} label={t('playlists')} isCurrent={false} />
      </span>
    </nav>
  )
}

function Content({ kind }: { kind: YourList }) {
  const kinds = <Kinds kind={kind} />
  if (kind === 'bookmarked')
    return (
      <>
        <BookmarkList kinds={kinds} />
      </>
    )
  if (kind === 'downloaded') return <Downloaded kinds={kinds} />
  return <YourEpisodes key={kind} kind={kind} kinds={kinds} />
}

const DEVICE = 'device'

/** The files on the server, or those on this device, which are separate. */
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
      <YourEpisodes kind="downloaded" kinds={kinds}>
        {places}
      </YourEpisodes>
    )
  return (
    <>
      <ListLine>{kinds}</ListLine>
      {places}
      <DeviceList />
    </>
  )
}

/** The episodes kept on this device. Without https, what it would add. */
function DeviceList() {
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
    <section className="state faint middle stack gap-16">
      <h3>{t('https-would-add')}</h3>
      <ul className="prose shrinks breaks">
        {(['install', 'keep', 'sign-in'] as const).map(reason => (
          <li key={reason}>{t(`https-would-add-${reason}`)}</li>
        ))}
      </ul>
      <p className="muted">{t('https-would-add-how')}</p>
    </section>
  )
}

/** The user's bookmarks, the latest first, by week and then by month. */
function BookmarkList({ kinds }: { kinds: ReactNode }) {
  useSignals()
  const save = useMarkdown()
  const { t } = useTranslation()
  const { list, sections } = useYourList('bookmarked')
  const rowOf = (_: unknown, place: number) => <BookmarkRow item={list.at(place)!} onChanged={list.reload} />
  return (
    <>
      <ListLine>
        {kinds}
        {list.length.value > 0 && (
          <button
            type="button"
            className="secondary small with-icon nowrap"
            aria-label={t('save-as-markdown')}
            title={t('save-as-markdown')}
            onClick={() => void save()}
          >
            <Download size={16} aria-hidden="true" />
            <span className="above-phone">Markdown</span>
          </button>
        )}
      </ListLine>
      <EpisodeList
        list={list}
        sections={sections}
        podcastNameOf={() => ''}
        rowOf={rowOf}
        empty={<Empty icon={Bookmark}>{t('yours-empty-bookmarked')}</Empty>}
      />
    </>
  )
}

type Props = { item: YourRow; onChanged: () => Promise<unknown> }

/** A bookmark: its note, its episode and its moment, from which it plays. */
function BookmarkRow({ item, onChanged }: Props) {
  useSignals()
  const { library, player, failed } = useApp()
  const { t } = useTranslation()
  const { podcastEpisode: episode, bookmark } = item
  const { note, time } = bookmark!
  const podcastName = library.byId.value.get(episode.podcast_id)?.name ?? ''
  const at = formatDuration(time)
  const remove = useRemoval(item, onChanged)
  const save = useMarkdown()
  return (
    <div className="bookmark-row relative wrap row">
      <EpisodeCover episode={episode} podcastName={podcastName} size={64} />
      <div className="bookmark-text shrinks">
        <h4 className="title clamp ink" dir="auto">
          <Link className="bare block" href={routes.episodes(episode.podcast_id, episode.id, time)}>
            {note ?? episode.name}
          </Link>
        </h4>
        <p className="fine faint clamp flush">
          <bdi>{note === null ? podcastName : `${episode.name} · ${podcastName}`}</bdi>
        </p>
      </div>
      <button
        type="button"
        className="quiet small numbers"
        aria-label={`${t('play-from-time', { time: at })}: ${note ?? episode.name}`}
        onClick={() => void player.playAt(item, podcastName, time).catch(failed)}
      >
        {at}
      </button>
      <Menu
        icon={Ellipsis}
        label={t('more-of-bookmark', { time: at })}
        heading={note ?? episode.name}
        items={[
          { icon: Download, label: t('save-episode-as-markdown'), onSelect: () => void save(episode.id) },
          { icon: Trash2, label: t('delete-bookmark'), isDanger: true, onSelect: () => void remove() },
        ]}
      />
    </div>
  )
}

/** Returns a function that saves all bookmarks, or those of one episode, as a Markdown file. */
function useMarkdown() {
  const { api, failed } = useApp()
  const save = (text: string) => saveFile('bookmarks.md', new Blob([text], { type: 'text/markdown' }))
  return (episode?: string) => api.bookmarks.markdown(episode).then(save).catch(failed)
}

/** Returns a function that removes the bookmark and offers to undo that. */
function useRemoval({ podcastEpisode, bookmark }: YourRow, onChanged: () => Promise<unknown>) {
  const { api, toasts, failed } = useApp()
  const { t } = useTranslation()
  return async () => {
    const { id, time, note } = bookmark!
    const restore = () => api.bookmarks.add({ episode: podcastEpisode.id, time, note }).then(onChanged)
    try {
      await api.bookmarks.remove(id)
      toasts.done(t('bookmark-removed'), { label: t('undo'), run: () => void restore().catch(failed) })
      await onChanged()
    } catch (error) {
      failed(error)
    }
  }
}
