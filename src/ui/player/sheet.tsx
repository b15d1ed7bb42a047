import { useSignals } from '@preact/signals-react/runtime'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { ofItself, useModal } from '../components/dialog'
import { MiniStage } from './mini-stage'
import { SheetHeader } from './sheet-header'
import { SheetPanels, type PanelId } from './sheet-panels'
import { Stage } from './stage'
import type { Playing } from './state'
import { useTint } from './tint'
import { useBookmarks } from './use-bookmarks'
import { useSheetGestures } from './use-sheet-gestures'
import './sheet.css'

/** The player over the whole page: everything about the episode that plays, and everything that can be done with it. */
export function PlayerSheet({ playing, onClose }: { playing: Playing; onClose: () => void }) {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  const [panel, setPanel] = useState<PanelId>('notes')
  // On phones the panels lie at the foot until they are pulled up.
  const [isUp, setUp] = useState(false)
  const { episode } = playing
  const bookmarks = useBookmarks(episode.id)
  const playAt = (seconds: number) => {
    player.seek(seconds)
    void player.resume()
  }
  useModal(dialog)
  const close = () => dialog.current?.close()
  useSheetGestures(dialog, { isUp, setUp, close })
  function show(id: PanelId) {
    setPanel(id)
    setUp(true)
  }
  return (
    <dialog
      ref={dialog}
      className={`player-sheet tinted ${isUp ? 'is-up' : ''}`}
      style={useTint(playing)}
      aria-label={episode.name}
      onClose={ofItself(onClose)}
    >
      <span className="grab" />
      <SheetHeader
        playing={playing}
        isQueueShown={isUp && panel === 'queue'}
        onQueue={() => (isUp && panel === 'queue' ? setUp(false) : show('queue'))}
        onClose={close}
      />
      <Stage playing={playing} onBookmark={bookmarks.add} onLeave={close} />
      {isUp && <MiniStage playing={playing} onLower={() => setUp(false)} />}
      <SheetPanels
        playing={playing}
        bookmarks={bookmarks}
        shown={panel}
        isUp={isUp}
        label={t('player-panels')}
        onShow={show}
        onToggle={() => setUp(!isUp)}
        onPlayAt={playAt}
      />
    </dialog>
  )
}
