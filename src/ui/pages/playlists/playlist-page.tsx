import { useSignals } from '@preact/signals-react/runtime'
import { ListPlus, ListVideo, Pencil, Play, X } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { Playlist, SmartRules } from '../../../shared/api/playlist'
import { ApiError } from '../../api/client'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/icon-button'
import { PageHeader } from '../../components/page-header'
import { Empty } from '../../components/states'
import { formatMinutes } from '../../format'
import { EpisodeList } from '../../library/episodes/episode-list'
import { useEpisodeList } from '../../library/episodes/use-episode-list'
import { CopyFeedButton } from '../../library/forms/copy'
import { NotFound } from '../../library/not-found'
import { PlaylistWizard } from '../../library/playlists'
import { routes } from '../../routes'
import { usePlaylistActions } from './use-playlist-actions'
import { usePlaylistEditor } from '../../library/playlists/use-playlist-editor'
import './playlists.css'
import { goneOf } from '../../state/smart-rules'
import { RulesBadge } from './rules-badge'

/** A playlist in its order: played from the start, or from any episode on. */
export function PlaylistPage({ id }: { id: string }) {
  useSignals()
  const { api, library } = useApp()
  const { t } = useTranslation()
  const [playlist, setPlaylist] = useState<Playlist | null>(null)
  const load = useCallback(async () => {
    const found = await api.playlists.find(id)
    setPlaylist(found)
    return { items: found.items, next: null }
  }, [api, id])
  const list = useEpisodeList(null, load)
  useFollowingRules(playlist?.rules ? list.reload : null)
  const actions = usePlaylistActions(playlist, list)
  const error = list.error.value
  if (error instanceof ApiError && error.status === 404) return <NotFound />
  return (
    <div className="page-list list-width playlist">
      <Header playlist={playlist} />
      {playlist?.rules && <RulesNote rules={playlist.rules} />}
      <Summary
        items={list.items.value}
        onPlay={() => void actions.playFrom(0)}
        onQueue={() => void actions.queueAll()}
      />
      <h2 className="visually-hidden">{t('episodes')}</h2>
      <EpisodeList
        list={list}
        podcastNameOf={({ podcastEpisode }) => library.byId.value.get(podcastEpisode.podcast_id)?.name ?? ''}
        showPodcast
        origin={playlist}
        empty={<Empty icon={ListVideo}>{t(playlist?.rules ? 'playlist-rules-empty' : 'playlist-empty')}</Empty>}
        moreOf={wrapper => [
          { icon: Play, label: t('play-from-here'), onSelect: () => void actions.playFrom(placeOf(list, wrapper)) },
          ...(playlist?.rules
            ? []
            : [{ icon: X, label: t('remove-from-this-playlist'), onSelect: () => void actions.remove(wrapper) }]),
        ]}
      />
      <PlaylistWizard onSaved={() => void list.reload()} />
    </div>
  )
}

const placeOf = (list: ReturnType<typeof useEpisodeList>, { podcastEpisode }: EpisodeWrapper) =>
  list.items.peek().findIndex(item => item.podcastEpisode.id === podcastEpisode.id)

function Header({ playlist }: { playlist: Playlist | null }) {
  const playlistEditor = usePlaylistEditor()
  const { t } = useTranslation()
  return (
    <PageHeader title={playlist?.name ?? ''} back={{ to: routes.playlists, label: t('playlists') }}>
      {playlist && (
        <>
          <CopyFeedButton path={`playlist/${playlist.id}`} />
          <IconButton
            icon={Pencil}
            label={t('edit-playlist', { name: playlist.name })}
            onClick={() => playlistEditor.begin(playlist)}
          />
        </>
      )}
    </PageHeader>
  )
}

type SummaryProps = { items: readonly EpisodeWrapper[]; onPlay: () => void; onQueue: () => void }

/**
 * The number and length of the episodes, and the ways to play all of them. Keeps its height while the episodes are
 * loaded.
 */
function Summary({ items, onPlay, onQueue }: SummaryProps) {
  const { t } = useTranslation()
  const seconds = items.reduce((sum, { podcastEpisode }) => sum + podcastEpisode.total_time, 0)
  return (
    <div className="playlist-summary gap-8 x-12 wrap row">
      {items.length > 0 && (
        <>
          <button type="button" className="with-icon" onClick={onPlay}>
            <Play size={16} fill="currentColor" aria-hidden="true" />
            {t('play-all')}
          </button>
          <button type="button" className="secondary with-icon" onClick={onQueue}>
            <ListPlus size={18} strokeWidth={1.75} aria-hidden="true" />
            {t('queue-these')}
          </button>
          <p className="muted numbers flush">
            {[t('episodes-count', { count: items.length }), seconds > 0 && formatMinutes(seconds)]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </>
      )}
    </div>
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

/** Says that a playlist fills itself, how much of it is kept here, and whether its rules name what is gone. */
function RulesNote({ rules }: { rules: SmartRules }) {
  useSignals()
  const { library, tags } = useApp()
  const { t } = useTranslation()
  useEffect(() => void tags.load(), [tags])
  const isKnown = library.status.value === 'ready' && tags.all.value !== null
  const known = {
    podcasts: new Set(library.byId.value.keys()),
    tags: new Set(tags.all.value?.map(({ id }) => id)),
  }
  const isGone = isKnown && rules.rules.some(rule => goneOf(rule, known).length > 0)
  return (
    <p className="rules-note gap-4 x-12 flush wrap muted">
      <RulesBadge />
      {rules.keepDownloaded > 0 && <span>{t('kept-downloaded', { total: rules.keepDownloaded })}</span>}
      {isGone && <span className="field-failure">{t('rules-name-gone')}</span>}
    </p>
  )
}
