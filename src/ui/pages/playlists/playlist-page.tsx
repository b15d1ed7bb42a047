import { useSignals } from '@preact/signals-react/runtime'
import { ListVideo, Pencil, Play, Plus, X } from 'lucide-react'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { Playlist } from '../../../shared/api/playlist'
import { ApiError } from '../../api/client'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/buttons'
import { lazily } from '../../components/lazily'
import { PageHeader, useIsBehindBar } from '../../components/page-header'
import { Empty } from '../../components/states'
import { formatMinutes } from '../../format'
import { EpisodeList } from '../../library/episodes/episode-list'
import { useEpisodeList } from '../../library/episodes/use-episode-list'
import { PlaylistWizard } from '../../library/playlists'
import { usePlaylistEditor } from '../../library/playlists/use-playlist-editor'
import { routes } from '../../routes'
import { Mosaic, podcastsOf } from './mosaic'
import { PlayPlaylist, ShufflePlaylist, useTint } from './playlist-buttons'
import '../episodes/podcast.css'
import './playlists.css'
import { lengthOf, usePlaylistActions, useRemoval, useSorting } from './use-playlist-actions'

const OwnMenu = lazily(async () => (await import('./playlist-menu')).OwnMenu)
const RulesNote = lazily(async () => (await import('./rules-note')).RulesNote)
const NotFound = lazily(async () => (await import('../../library/not-found')).NotFound)

/** A playlist in its order: continued, shuffled, or played from any episode on. */
export function PlaylistPage({ id }: { id: string }) {
  useSignals()
  const { api, changes, library } = useApp()
  const editor = usePlaylistEditor()
  const { t } = useTranslation()
  const [playlist, setPlaylist] = useState<Playlist | null>(null)
  const load = useCallback(async () => {
    const found = await api.playlists.find(id)
    setPlaylist(found)
    return { items: found.items, next: null }
  }, [api, id])
  const list = useEpisodeList(null, load)
  useFollowingRules(playlist?.rules ? list.reload : null)
  useEffect(
    () =>
      changes.listenToLists(changed => {
        if (changed === id) void list.reload()
      }),
    [changes, id, list],
  )
  const sorting = useSorting(playlist, list)
  const { play } = usePlaylistActions()
  const remove = useRemoval(playlist, list)
  const header = useRef<HTMLElement>(null)
  const error = list.error.value
  if (error instanceof ApiError && error.status === 404) return <NotFound />
  const items = list.items.value
  const whole = playlist && { ...playlist, items: [...items] }
  const playFrom = ({ podcastEpisode: { id: first } }: EpisodeWrapper) => {
    const place = items.findIndex(({ podcastEpisode }) => podcastEpisode.id === first)
    if (playlist) void play(playlist, items.slice(place))
  }
  return (
    <div className="page-list playlist">
      <Bar playlist={playlist} headerRef={header} />
      <Header playlist={whole} headerRef={header} />
      <h2 className="visually-hidden">{t('episodes')}</h2>
      <div className="list-width">
        {playlist?.description && (
          <p className="muted breaks spaced" dir="auto">
            {playlist.description}
          </p>
        )}
        <EpisodeList
          list={list}
          podcastNameOf={({ podcastEpisode }) => library.byId.value.get(podcastEpisode.podcast_id)?.name ?? ''}
          showPodcast
          origin={playlist}
          sorting={items.length > 1 ? sorting : null}
          empty={<Empty icon={ListVideo}>{t(playlist?.rules ? 'playlist-rules-empty' : 'playlist-empty')}</Empty>}
          moreOf={wrapper => [
            { icon: Play, label: t('play-from-here'), onSelect: () => playFrom(wrapper) },
            ...(playlist?.rules
              ? []
              : [{ icon: X, label: t('remove-from-this-playlist'), onSelect: () => void remove(wrapper) }]),
          ]}
        />
        {playlist && !playlist.rules && (
          <button type="button" className="quiet with-icon above-16" onClick={() => editor.begin(playlist, 1)}>
            <Plus size={18} aria-hidden="true" />
            {t('add-episodes')}
          </button>
        )}
      </div>
      <PlaylistWizard onSaved={() => void list.reload()} />
    </div>
  )
}

type HeaderProps = { playlist: Playlist | null; headerRef: RefObject<HTMLElement | null> }

/** The page's part of the top bar: the way back, and the name once the header has scrolled away. */
function Bar({ playlist, headerRef }: HeaderProps) {
  const { t } = useTranslation()
  const isClear = useIsBehindBar(headerRef)
  const back = { to: routes.playlists, label: t('playlists') }
  return (
    <PageHeader title={playlist?.name ?? ''} back={back} hasOwnHeading isClear={isClear}>
      {playlist && <EditButton playlist={playlist} className="on-phone" />}
    </PageHeader>
  )
}

/** The picture, name, length and actions of a playlist, on the tint of its first cover. Keeps its height from the start. */
function Header({ playlist, headerRef }: HeaderProps) {
  const items = playlist?.items ?? []
  const podcasts = podcastsOf(items)
  return (
    <header
      className="podcast-header playlist-header tinted"
      style={useTint(podcasts, playlist?.name ?? '')}
      ref={headerRef}
    >
      <div className="podcast-header-in stack list-width">
        <Mosaic podcasts={podcasts} eager />
        <div className="podcast-facts shrinks">
          <h1 className="display clamp" dir="auto">
            {playlist?.name ?? '\u00a0'}
          </h1>
          <p className="fine muted flush numbers above-4">{playlist ? <Lengths items={items} /> : '\u00a0'}</p>
          {playlist?.rules && <RulesNote rules={playlist.rules} />}
        </div>
        <div className="podcast-actions shrinks row gap-8">{playlist && <Actions playlist={playlist} />}</div>
      </div>
    </header>
  )
}

function EditButton({ playlist, className }: { playlist: Playlist; className: string }) {
  const editor = usePlaylistEditor()
  const { t } = useTranslation()
  const label = t('edit-playlist', { name: playlist.name })
  return <IconButton icon={Pencil} label={label} className={className} onClick={() => editor.begin(playlist)} />
}

function Lengths({ items }: { items: readonly EpisodeWrapper[] }) {
  const { t } = useTranslation()
  const { total, left } = lengthOf(items)
  return [
    t('episodes-count', { count: items.length }),
    total > 0 && formatMinutes(total),
    left > 0 && left < total && t('time-left', { time: formatMinutes(left) }),
  ]
    .filter(Boolean)
    .join(' · ')
}

function Actions({ playlist }: { playlist: Playlist }) {
  return (
    <>
      <PlayPlaylist playlist={playlist} isLong />
      <ShufflePlaylist playlist={playlist} />
      <EditButton playlist={playlist} className="above-phone" />
      <div className="podcast-menu rigid row gap-8">
        <OwnMenu playlist={playlist} />
      </div>
    </>
  )
}

const SETTLED_MS = 1000

/**
 * Loads a list again when an episode has changed, since it may match the rules now, or no longer. Null = does nothing.
 */
function useFollowingRules(reload: (() => Promise<void>) | null) {
  const { changes } = useApp()
  useEffect(() => {
    if (!reload) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const soon = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void reload(), SETTLED_MS)
    }
    const end = changes.listen({ edit: soon, stale: () => {} })
    return () => {
      end()
      clearTimeout(timer)
    }
  }, [changes, reload])
}
