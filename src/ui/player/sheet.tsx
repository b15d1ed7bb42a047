import { useSignals } from '@preact/signals-react/runtime'
import { ChevronDown, Link as LinkIcon, Share2 } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { useModal } from '../components/dialog'
import { IconButton } from '../components/icon-button'
import { canShare, shareLink } from '../device/share'
import { useChapters } from '../library/episodes/chapters'
import { routes } from '../routes'
import { NowPlaying } from './now-playing'
import { SheetPanels } from './sheet-panels'
import type { Playing } from './state'
import './sheet.css'

/** The player over the whole page: everything about the episode that plays, and everything that can be done with it. */
export function PlayerSheet({ playing, onClose }: { playing: Playing; onClose: () => void }) {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  const { episode } = playing
  const chapters = useChapters(episode.id, episode.has_chapters) ?? []
  const playAt = (seconds: number) => {
    player.seek(seconds)
    void player.resume()
  }
  useModal(dialog)
  const close = () => dialog.current?.close()
  const parts = { playing, chapters, onPlayAt: playAt }
  return (
    <dialog ref={dialog} className="player-sheet" aria-label={t('player-of', { name: episode.name })} onClose={onClose}>
      <header className="sheet-header">
        <IconButton icon={ChevronDown} label={t('close-player')} onClick={close} />
        <span className="top-bar-space" />
        <ShareButton playing={playing} />
      </header>
      <div className="sheet-columns">
        <NowPlaying {...parts} onLeave={close} />
        <SheetPanels {...parts} />
      </div>
    </dialog>
  )
}

/** Shares a link to this moment of the episode. */
function ShareButton({ playing: { episode, podcastId } }: { playing: Playing }) {
  const { player, prefix, toasts } = useApp()
  const { t } = useTranslation()
  async function share() {
    const path = routes.episodes(podcastId, episode.id, player.position.peek())
    const { href } = new URL(`${prefix}/ui${path}`, location.href)
    const outcome = await shareLink(episode.name, href)
    if (outcome === 'copied') toasts.done(t('link-copied'))
    if (outcome === 'failed') toasts.failed(t('link-not-copied', { link: href }))
  }
  return (
    <IconButton
      icon={canShare ? Share2 : LinkIcon}
      label={canShare ? t('share-moment') : t('copy-link-at-time')}
      onClick={() => void share()}
    />
  )
}
