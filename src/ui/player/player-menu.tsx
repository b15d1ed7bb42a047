import { Gauge, Link as LinkIcon, Megaphone, Podcast, Share2, SlidersHorizontal, Sun, X } from 'lucide-react'
import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { useApp } from '../app-context'
import { lazily } from '../components/lazily'
import { canShare } from '../device/share'
import { episodeActions } from '../library/episodes/episode-actions'
import { EpisodeMenu } from '../library/episodes/episode-menu'
import type { Playing } from '../playback/state'
import { routes } from '../routes'
import { useMarking } from './marked-tools'
import { useAwake } from './use-awake'
import { useShare } from './use-moment-address'

const PickPlaylistDialog = lazily(
  async () => (await import('../library/playlists/pick-playlist-dialog')).PickPlaylistDialog,
)
const SoundDialog = lazily(async () => (await import('./sound-dialog')).SoundDialog)
const SkipLengthsDialog = lazily(async () => (await import('./sheet-dialogs')).SkipLengthsDialog)

type Props = {
  playing: Playing
  /** The menu leads to another page. */
  onLeave: () => void
}

/** The menu of what plays: first what concerns playing, then what every episode has. */
export function PlayerMenu({ playing, onLeave }: Props) {
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
