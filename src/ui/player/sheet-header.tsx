import {
  ChevronDown,
  Gauge,
  Layers,
  Link as LinkIcon,
  ListMusic,
  Megaphone,
  Podcast,
  Share2,
  SlidersHorizontal,
  Sun,
  X,
} from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { IconButton } from '../components/buttons'
import { lazily } from '../components/lazily'
import { RemoteButton } from './buttons'
import type { Playing } from '../playback/state'
import { useSignals } from '@preact/signals-react/runtime'
import { Menu } from '../components/menu'
import { factsOfForm, nameOfForm } from '../library/episodes/form-words'
import { useResource } from '../use-resource'
import { useLocation } from 'wouter'
import { canShare } from '../device/share'
import { episodeActions } from '../library/episodes/episode-actions'
import { EpisodeMenu } from '../library/episodes/episode-menu'
import { routes } from '../routes'
import { useMarking } from './marked-tools'
import { useShare } from './use-moment-address'

const ShareDialog = lazily(async () => (await import('./sheet-dialogs')).ShareDialog)

type Props = { playing: Playing; isQueueShown: boolean; onQueue: () => void; onClose: () => void }

/** The line at the top of the open player. */
export function SheetHeader({ playing, isQueueShown, onQueue, onClose }: Props) {
  const { t } = useTranslation()
  const [isSharing, setSharing] = useState(false)
  return (
    <header className="sheet-header over relative row gap-4">
      <IconButton icon={ChevronDown} label={t('close-player')} onClick={onClose} />
      <span className="grow" />
      <FormMenu playing={playing} />
      <RemoteButton />
      <IconButton icon={Share2} label={t('share')} onClick={() => setSharing(true)} />
      <IconButton
        icon={ListMusic}
        label={t('queue')}
        className="sheet-queue"
        aria-expanded={isQueueShown}
        onClick={onQueue}
      />
      <PlayerMenu playing={playing} onLeave={onClose} />
      {isSharing && <ShareDialog playing={playing} onClose={() => setSharing(false)} />}
    </header>
  )
}

/** Chooses among the forms of the episode that plays; nothing if its feed offers only one. */
function FormMenu({ playing: { episode, form } }: { playing: Playing }) {
  useSignals()
  const { api, player } = useApp()
  const { t } = useTranslation()
  const { data, isStale } = useResource((_, eid: string) => api.episodes.find(eid), [episode.episode_id])
  const forms = isStale ? [] : (data?.extras.forms ?? [])
  if (forms.length === 0) return null
  return (
    <Menu
      icon={Layers}
      label={t('forms')}
      items={[
        { label: t('form-main'), isChecked: !form, onSelect: () => player.chooseForm(null) },
        ...forms.map(one => ({
          label: [nameOfForm(one), factsOfForm(one)].filter(Boolean).join(' · '),
          isChecked: one.id === form?.id,
          onSelect: () => player.chooseForm(one),
        })),
      ]}
    />
  )
}

const PickPlaylistDialog = lazily(
  async () => (await import('../library/playlists/pick-playlist-dialog')).PickPlaylistDialog,
)
const SoundDialog = lazily(async () => (await import('./sound-dialog')).SoundDialog)
const SkipLengthsDialog = lazily(async () => (await import('./sheet-dialogs')).SkipLengthsDialog)

type MenuProps = {
  playing: Playing
  /** The menu leads to another page. */
  onLeave: () => void
}

/** The menu of what plays: first what concerns playing, then what every episode has. */
function PlayerMenu({ playing, onLeave }: MenuProps) {
  useSignals()
  const app = useApp()
  const { t } = useTranslation()
  const awake = useAwake(app.player.isPlaying.value)
  const [, go] = useLocation()
  const [dialog, setDialog] = useState<'playlist' | 'skip-lengths' | 'speeds' | null>(null)
  const marking = useMarking()
  const share = useShare(playing)
  const { episode, podcastName, podcastId } = playing
  const wrapper = { podcastEpisode: episode, podcastHistoryItem: null }
  const closeDialog = () => setDialog(null)
  function openPodcast() {
    onLeave()
    go(routes.episodes(podcastId))
  }
  return (
    <>
      <EpisodeMenu
        wrapper={wrapper}
        actions={episodeActions(app, wrapper, podcastName)}
        onPickPlaylist={() => setDialog('playlist')}
        firstOf={() => [
          ...(marking.isReady ? [{ icon: Megaphone, label: marking.label, onSelect: marking.onClick }] : []),
          { icon: Sun, label: t('keep-awake'), isOn: awake.isOn, onSelect: awake.toggle },
          { icon: Gauge, label: t('speeds-between'), onSelect: () => setDialog('speeds') },
          { icon: SlidersHorizontal, label: t('skip-lengths'), onSelect: () => setDialog('skip-lengths') },
          {
            icon: canShare ? Share2 : LinkIcon,
            label: t(canShare ? 'share-moment' : 'copy-link-at-time'),
            onSelect: () => share(app.player.position.peek()),
          },
          { icon: Podcast, label: t('open-podcast'), onSelect: openPodcast },
          { icon: X, label: t('dismiss-player'), onSelect: app.player.clear },
        ]}
        moreOf={undefined}
      />
      {dialog === 'playlist' && <PickPlaylistDialog episode={episode} onClose={closeDialog} />}
      {dialog === 'speeds' && <SoundDialog onClose={closeDialog} />}
      {dialog === 'skip-lengths' && <SkipLengthsDialog onClose={closeDialog} />}
    </>
  )
}

const KEY = 'player.awake'
const canHold = 'wakeLock' in navigator

/**
 * Keeps the screen on while the open player plays, if the listener chose that; this browser remembers it. The browser
 * gives the lock up while the page is hidden.
 */
function useAwake(isPlaying: boolean) {
  const { toasts } = useApp()
  const { t } = useTranslation()
  const [isOn, setOn] = useState(() => localStorage.getItem(KEY) !== null)
  function choose(isWanted: boolean) {
    setOn(isWanted)
    if (isWanted) localStorage.setItem(KEY, 'on')
    else localStorage.removeItem(KEY)
  }
  useEffect(() => {
    if (!isOn || !isPlaying) return
    return holdScreen(() => {
      choose(false)
      toasts.failed(t(canHold ? 'awake-refused' : 'awake-impossible'))
    })
    // Another language is no reason to ask again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isOn, isPlaying])
  return { isOn, toggle: () => choose(!isOn) }
}

/** Holds the screen's lock whenever the page is visible, until the returned function is called. */
function holdScreen(onRefused: () => void): () => void {
  let lock: WakeLockSentinel | null = null
  let isOver = false
  async function hold() {
    if (document.hidden) return
    try {
      const fresh = await navigator.wakeLock.request('screen')
      if (isOver) await fresh.release()
      else lock = fresh
    } catch {
      // Hidden in the meantime: it is requested again.
      if (!isOver && !document.hidden) onRefused()
    }
  }
  const again = () => void hold()
  document.addEventListener('visibilitychange', again)
  again()
  return () => {
    isOver = true
    document.removeEventListener('visibilitychange', again)
    void lock?.release()
  }
}
