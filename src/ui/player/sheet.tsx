import { useSignals } from '@preact/signals-react/runtime'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withSize } from '../api/client'
import { useApp } from '../app-context'
import { ofItself, useModal } from '../components/dialog'
import { SheetHeader } from './sheet-header'
import { type PanelId, SheetPanels, SheetSide } from './sheet-panels'
import { isVideo, type Playing } from '../playback/state'
import { useTint } from './tint'
import { useBookmarks } from './bookmarks'
import './sheet.css'
import './stage.css'
import { followFinger, settles } from './follow-finger'
import { drag, isAtTop, pullDown } from './follow-finger'
import { Pause, Play } from 'lucide-react'
import { formatDuration } from '../../shared/duration'
import { Cover } from '../components/cover'
import { IconButton } from '../components/buttons'
import { Link } from 'wouter'
import { formatDate } from '../format'
import { routes } from '../routes'
import { LikeButton } from './buttons'
import { MarkButton } from './marked-tools'
import { movingCover } from './moving-cover'
import { Picture } from './picture'
import { SeekBar } from './seek-bar'
import { Tools } from './tools'
import { Transport } from './transport-buttons'

/** The player over the whole page: everything about the episode that plays, and all actions on it. */
export function PlayerSheet({ playing, onClose }: { playing: Playing; onClose: () => void }) {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  const [panel, setPanel] = useState<PanelId>('notes')
  // On phones the panels stay at the bottom until they are pulled up.
  const [isUp, setUp] = useState(false)
  const [isHuge] = useState(() => matchMedia('(width >= 1920px)').matches)
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
      className={`player-sheet clipped tinted ${isUp ? 'is-up' : ''}`}
      style={useTint(playing)}
      aria-label={episode.name}
      onClose={ofItself(onClose)}
    >
      <Backdrop playing={playing} />
      <span className="grab block on-phone" />
      <SheetHeader
        playing={playing}
        isQueueShown={isUp && panel === 'queue'}
        onQueue={() => (isUp && panel === 'queue' ? setUp(false) : show('queue'))}
        onClose={() => movingCover(close)}
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
      {isHuge && <SheetSide onPlayAt={playAt} />}
    </dialog>
  )
}

type Needs = { isUp: boolean; setUp: (isUp: boolean) => void; close: () => void }

/** The open player under a finger: down closes it; the panels at the bottom are pulled up and pushed down again. */
function useSheetGestures(dialog: RefObject<HTMLDialogElement | null>, { isUp, setUp, close }: Needs) {
  useEffect(() => {
    const sheet = dialog.current!
    const panels = sheet.querySelector<HTMLElement>('.sheet-panels')!

    const endSheet = pullDown(sheet, close, target => !(isUp && panels.contains(target)))
    const way = () => panels.offsetHeight
    const endPanels = followFinger(panels, {
      mayStart: (direction, target) =>
        isPeek(panels) && (isUp ? direction === 'down' && isAtTop(target, panels) : direction === 'up'),
      onMove: distance => drag(panels, isUp ? Math.max(0, distance) : Math.min(0, distance)),
      onEnd(distance, velocity) {
        drag(panels, 0)
        if (settles(distance, velocity, isUp ? way() : -way())) setUp(!isUp)
      },
    })
    return () => {
      endSheet()
      endPanels()
    }
  }, [dialog, isUp, setUp, close])
}

/** Whether the panels are a separate sheet at this size. */
const isPeek = (panels: HTMLElement) => getComputedStyle(panels).position === 'absolute'

/** A small stage above the panels that were pulled up. */
function MiniStage({ playing: { episode, podcastName }, onLower }: { playing: Playing; onLower: () => void }) {
  useSignals()
  const { player, chapters } = useApp()
  const { t } = useTranslation()
  const left = `−${formatDuration(Math.max(0, player.duration.value - player.position.value))}`
  const isActive = player.isPlaying.value || player.isWaiting.value
  return (
    <div className="mini-stage on-phone row gap-12">
      <span className="player-cover rigid relative plain">
        <Cover src={episode.local_image_url} name={podcastName} isMissing={episode.image_url === ''} size={128} />
        {/* Over the cover, whose initials are no part of its name. */}
        <button type="button" className="plain overlay" aria-label={t('show-controls')} onClick={onLower} />
      </span>
      <span className="mini-stage-text stack grow">
        <b className="truncate" dir="auto">
          {episode.name}
        </b>
        <span className="muted numbers truncate" dir="auto">
          {[chapters.current.value?.title, left].filter(Boolean).join(' · ')}
        </span>
        <i className="meter" style={{ '--share': player.percentage.value / 100 } as React.CSSProperties} />
      </span>
      <IconButton
        icon={isActive ? Pause : Play}
        label={isActive ? t('pause') : t('play')}
        className="player-toggle filled"
        onClick={player.toggle}
      />
    </div>
  )
}

type Props = {
  playing: Playing
  onBookmark: () => Promise<void>
  /** A link leads to another page. */
  onLeave: () => void
}

/** The picture, the names and the controls of the open player. */
function Stage({ playing, onBookmark, onLeave }: Props) {
  const { t } = useTranslation()
  const { episode, podcastName, podcastId } = playing
  return (
    <section className="stage gap-20 single shrinks stack scrolls" aria-label={t('player')}>
      {isVideo(playing) ? <Picture playing={playing} /> : <StageCover playing={playing} />}
      <div className="stage-titles row gap-8">
        <div className="grow">
          <h2 className="display clamp" dir="auto">
            {episode.name}
          </h2>
          <Link className="link faint block breaks" dir="auto" href={routes.episodes(podcastId)} onClick={onLeave}>
            {[podcastName, episode.date_of_recording && formatDate(episode.date_of_recording)]
              .filter(Boolean)
              .join(' · ')}
          </Link>
        </div>
        <MarkButton />
        <LikeButton playing={playing} />
      </div>
      <SeekBar withChapter />
      <Transport />
      <Tools onBookmark={onBookmark} />
    </section>
  )
}

/** Returns the picture of the chapter if it has one, otherwise the cover of the episode, and the one before it. */
function usePicture({ episode }: Playing) {
  useSignals()
  const { chapters } = useApp()
  const image = chapters.current.value?.image
  const src = image ?? episode.local_image_url
  return { src, last: useLast(src), isMissing: !image && episode.image_url === '' }
}

/** The picture of what plays; one fades into the other. */
function StageCover({ playing }: { playing: Playing }) {
  const { src, last, isMissing } = usePicture(playing)
  const name = playing.podcastName || playing.episode.name
  return (
    <span className="stage-cover">
      {last !== null && <Cover key={last} src={last} size={512} name={name} />}
      <Cover key={src} src={src} size={512} eager name={name} isMissing={isMissing} />
    </span>
  )
}

/** The same picture as a soft light behind everything. Phones have none, nor do people who want less transparency. */
function Backdrop({ playing }: { playing: Playing }) {
  const { src, last, isMissing } = usePicture(playing)
  if (isMissing) return null
  return (
    <span className="backdrop absolute clipped" aria-hidden="true">
      {last !== null && <Light key={last} src={last} />}
      <Light key={src} src={src} />
    </span>
  )
}

/** Pixels of a side. Stretched over the screen they are as soft as a blur, which would cost every frame. */
const LIGHT = 8

function Light({ src }: { src: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const image = new Image()
    image.src = withSize(src, 64)
    void image.decode().then(
      () => canvas.current?.getContext('2d')?.drawImage(image, 0, 0, LIGHT, LIGHT),
      () => undefined,
    )
  }, [src])
  return <canvas ref={canvas} width={LIGHT} height={LIGHT} />
}

/** Returns the value before this one; null for the first. */
function useLast(value: string): string | null {
  const [values, setValues] = useState<{ last: string | null; now: string }>({ last: null, now: value })
  useEffect(() => setValues(({ now }) => (now === value ? { last: null, now } : { last: now, now: value })), [value])
  return values.now === value ? values.last : values.now
}
