import { ChevronDown, Link as LinkIcon, ListMusic, Share2, SlidersHorizontal, X } from 'lucide-react'
import { useState } from 'react'
import { useApp } from '../app-context'
import { IconButton } from '../components/icon-button'
import { lazily } from '../components/lazily'
import { canShare, shareLink } from '../device/share'
import { useTranslation } from '../i18n'
import { episodeActions } from '../library/episodes/episode-actions'
import { EpisodeMenu } from '../library/episodes/episode-menu'
import { routes } from '../routes'
import type { Playing } from './state'

const PickPlaylistDialog = lazily(
  async () => (await import('../library/playlists/pick-playlist-dialog')).PickPlaylistDialog,
)
const SkipLengthsDialog = lazily(async () => (await import('./skip-lengths-dialog')).SkipLengthsDialog)

type Props = { playing: Playing; isQueueShown: boolean; onQueue: () => void; onClose: () => void }

/** The line at the top of the open player. */
export function SheetHeader({ playing, isQueueShown, onQueue, onClose }: Props) {
  const app = useApp()
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<'playlist' | 'skip-lengths' | null>(null)
  const { episode, podcastName } = playing
  const wrapper = { podcastEpisode: episode, podcastHistoryItem: null }
  const closeDialog = () => setDialog(null)
  return (
    <header className="sheet-header">
      <IconButton icon={ChevronDown} label={t('close-player')} onClick={onClose} />
      <span className="sheet-space" />
      <ShareButton playing={playing} />
      <IconButton icon={ListMusic} label={t('queue')} aria-expanded={isQueueShown} onClick={onQueue} />
      <EpisodeMenu
        wrapper={wrapper}
        actions={episodeActions(app, wrapper, podcastName)}
        onPickPlaylist={() => setDialog('playlist')}
        moreOf={() => [
          { icon: SlidersHorizontal, label: t('skip-lengths'), onSelect: () => setDialog('skip-lengths') },
          { icon: X, label: t('dismiss-player'), onSelect: app.player.clear },
        ]}
      />
      {dialog === 'playlist' && <PickPlaylistDialog episode={episode} onClose={closeDialog} />}
      {dialog === 'skip-lengths' && <SkipLengthsDialog onClose={closeDialog} />}
    </header>
  )
}

/** Shares a link to this moment of the episode. */
function ShareButton({ playing }: { playing: Playing }) {
  const { player } = useApp()
  const { t } = useTranslation()
  const share = useShare(playing)
  return (
    <IconButton
      icon={canShare ? Share2 : LinkIcon}
      label={canShare ? t('share-moment') : t('copy-link-at-time')}
      onClick={() => share(player.position.peek())}
    />
  )
}

/** Returns what shares a link to a second of an episode. */
export function useShare({ episode, podcastId }: Playing) {
  const { prefix, toasts } = useApp()
  const { t } = useTranslation()
  async function share(seconds: number) {
    const { href } = new URL(`${prefix}/ui${routes.episodes(podcastId, episode.id, seconds)}`, location.href)
    const outcome = await shareLink(episode.name, href)
    if (outcome === 'copied') toasts.done(t('link-copied'))
    if (outcome === 'failed') toasts.failed(t('link-not-copied', { link: href }))
  }
  return (seconds: number) => void share(seconds)
}
