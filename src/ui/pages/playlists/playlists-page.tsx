import { useSignals } from '@preact/signals-react/runtime'
import { LayoutGrid, List, ListVideo, Plus } from 'lucide-react'
import { type CSSProperties, type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Playlist, PlaylistSummary } from '../../../shared/api/playlist'
import { useApp } from '../../app-context'
import { SegmentedChoice, useRemembered } from '../../components/segments'
import { Empty, Failed, Skeleton } from '../../components/states'
import { formatMinutes, formatTime } from '../../format'
import { FormDialog } from '../../library/forms/form-dialog'
import { HomeHeader } from '../../library/headers'
import { PlaylistWizard } from '../../library/playlists'
import { usePlaylistEditor } from '../../library/playlists/use-playlist-editor'
import { useNow } from '../../player/queue-summary'
import { routes } from '../../routes'
import { useResource } from '../../use-resource'
import { Mosaic, podcastsOf } from './mosaic'
import { PlayPlaylist, ShufflePlaylist, useTint } from './playlist-buttons'
import { PlaylistMenu, useDeletion } from './playlist-menu'
import { PlaylistTable, PlaylistTiles } from './playlist-views'
import { lengthOf, placeIn } from './use-playlist-actions'
import { Suggestions } from './suggestions'
import './playlists.css'

const views = ['covers', 'table'] as const
type View = (typeof views)[number]

/** The user's playlists: the one that was played last, and all of them as covers or as a table. */
export function PlaylistsPage() {
  const { api, changes } = useApp()
  const playlistEditor = usePlaylistEditor()
  const { t } = useTranslation()
  const playlists = useResource(api.playlists.list, [])
  const last = useLastPlayed(playlists.data)
  const reload = () => void Promise.all([playlists.retry(), last.retry()])
  const { data, error } = playlists
  const { retry } = playlists
  const { retry: retryLast } = last
  useEffect(
    () =>
      changes.listenToLists(playlist => {
        if (playlist !== null) void Promise.all([retry(), retryLast()])
      }),
    [changes, retry, retryLast],
  )
  const add = (
    <button type="button" className="with-icon" onClick={() => playlistEditor.begin(null)}>
      <Plus size={18} aria-hidden="true" />
      {t('add-new')}
    </button>
  )
  return (
    <>
      <HomeHeader title={t('playlists')}>{data !== null && data.length > 0 && add}</HomeHeader>
      {error !== null && <Failed error={error} onRetry={() => void playlists.retry()} />}
      {data === null && error === null && <Skeleton kind="tile" count={6} />}
      {data?.length === 0 && (
        <>
          <Empty icon={ListVideo} action={add}>
            {t('no-playlists')}
          </Empty>
          <Suggestions onKept={reload} />
        </>
      )}
      {data !== null && data.length > 0 && <Lists playlists={data} last={last.data} onChanged={reload} />}
      <PlaylistWizard onSaved={reload} />
    </>
  )
}

const lastPlayedOf = (playlists: readonly PlaylistSummary[]) =>
  playlists
    .filter(({ playedAt }) => playedAt !== null)
    .toSorted((one, other) => (one.playedAt! < other.playedAt! ? 1 : -1))[0]

/** The playlist that was played last, with its episodes as they are played; null = none, or it is gone. */
function useLastPlayed(playlists: readonly PlaylistSummary[] | null) {
  const { api, changes } = useApp()
  const id = lastPlayedOf(playlists ?? [])?.id ?? null
  const last = useResource(
    async (_, wanted: string | null) => (wanted === null ? null : api.playlists.find(wanted).catch(() => null)),
    [id],
  )
  const { change, retry } = last
  useEffect(
    () =>
      changes.listen({
        edit: edit => change(playlist => playlist && { ...playlist, items: playlist.items.map(edit) }),
        stale: () => void retry(),
      }),
    [changes, change, retry],
  )
  return last
}

type Props = { playlists: readonly PlaylistSummary[]; last: Playlist | null; onChanged: () => void }

function Lists({ playlists, last, onChanged }: Props) {
  const { t } = useTranslation()
  const [view, setView] = useRemembered<View>('playlists.view', views, isWide() ? 'table' : 'covers')
  const [asked, setAsked] = useState<PlaylistSummary | null>(null)
  const { isLong, remove } = useDeletion(onChanged)
  const onRemove = (playlist: PlaylistSummary) => (isLong(playlist) ? setAsked(playlist) : void remove(playlist))
  const hero = last && last.items.length > 0 && playlists.find(({ id }) => id === last.id)
  return (
    <>
      {hero && <PlaylistHero playlist={last} menu={<PlaylistMenu playlist={hero} onRemove={onRemove} />} />}
      <Suggestions onKept={onChanged} />
      <section aria-labelledby="your-playlists">
        <div className="playlists-heading row gap-8">
          <h2 className="flush grow" id="your-playlists">
            {t('your-playlists')} <span className="regular faint numbers">{playlists.length}</span>
          </h2>
          <div className="above-phone">
            <SegmentedChoice
              label={t('view')}
              value={view}
              onChange={setView}
              choices={[
                { value: 'covers', label: t('view-covers'), icon: <LayoutGrid size={16} aria-hidden="true" /> },
                { value: 'table', label: t('view-table'), icon: <List size={16} aria-hidden="true" /> },
              ]}
            />
          </div>
        </div>
        {view === 'table' && !isPhone() ? (
          <PlaylistTable playlists={playlists} onRemove={onRemove} />
        ) : (
          <PlaylistTiles playlists={playlists} onRemove={onRemove} />
        )}
      </section>
      {asked && <RemoveDialog playlist={asked} onRemove={() => remove(asked)} onClose={() => setAsked(null)} />}
    </>
  )
}

const isWide = () => matchMedia('(width >= 1024px)').matches
const isPhone = () => matchMedia('(width < 768px)').matches

type RemoveProps = { playlist: PlaylistSummary; onRemove: () => Promise<void>; onClose: () => void }

function RemoveDialog({ playlist: { name }, onRemove, onClose }: RemoveProps) {
  const { t } = useTranslation()
  return (
    <FormDialog
      isDanger
      title={t('delete-playlist-title', { name })}
      action={t('delete')}
      onSubmit={onRemove}
      onClose={onClose}
    >
      <p>{t('delete-playlist-text')}</p>
    </FormDialog>
  )
}

/** The playlist that was played last, on the tint of its first cover. `menu`: its other actions. */
function PlaylistHero({ playlist, menu }: { playlist: Playlist; menu: ReactNode }) {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const { id, name, items } = playlist
  const { place, isCurrent } = placeIn(items, player.current.value?.episode.id)
  const { total, left } = lengthOf(items)
  const number = t('playlist-place', { number: place + 1, count: items.length })
  const share = total > 0 ? 1 - left / total : 0
  return (
    <section
      className="playlist-hero tinted washed row gap-20"
      style={useTint(podcastsOf(items), name)}
      aria-labelledby="playlist-hero"
    >
      <Mosaic podcasts={podcastsOf(items)} eager />
      <div className="stack single grow">
        <p className="fine muted flush numbers">
          {isCurrent && player.isPlaying.value
            ? t('playing-now', { place: number })
            : t('last-played', { place: number })}
        </p>
        <h2 className="display clamp flush" id="playlist-hero" dir="auto">
          <Link className="bare" href={routes.playlist(id)}>
            {name}
          </Link>
        </h2>
        <p className="fine muted flush numbers">
          <Length count={items.length} left={left} />
        </p>
        {share > 0 && <span className="playlist-meter meter above-8" style={{ '--share': share } as CSSProperties} />}
        <div className="row gap-8 above-12 wrap">
          <PlayPlaylist playlist={playlist} />
          <ShufflePlaylist playlist={playlist} className="above-phone" />
          {menu}
        </div>
      </div>
    </section>
  )
}

/** The number of episodes, and how long the rest of them takes at the speed of the player. */
function Length({ count, left }: { count: number; left: number }) {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const seconds = left / player.rate.value
  const end = formatTime(useNow() + seconds * 1000)
  return [t('episodes-count', { count }), left > 0 && t('left-ends', { time: formatMinutes(seconds), end })]
    .filter(Boolean)
    .join(' · ')
}
