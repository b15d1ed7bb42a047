import { useSignals } from '@preact/signals-react/runtime'
import { ListMusic, Maximize2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useApp } from '../app-context'
import { Cover } from '../components/cover'
import { IconButton } from '../components/buttons'
import { lazily } from '../components/lazily'
import { routes } from '../routes'
import { LikeButton, RemoteButton } from './buttons'
import { RateControl } from './rate-control'
import { SeekBar } from './seek-bar'
import { SleepMenu } from './sleep-menu'
import { movingCover } from './moving-cover'
import { isVideo, type Playing } from '../playback/state'
import { Transport } from './transport-buttons'
import { MuteButton, VolumePopup, VolumeSlider } from './volume'
import './bar.css'
import { type RefObject, useEffect } from 'react'
import { followFinger, settles } from './follow-finger'

/** The controls of the player at the bottom of the page, and the gestures of its region. */
export function RegionContent({ region }: { region: RefObject<HTMLElement | null> }) {
  useMiniGestures(region)
  return <PlayerBar />
}

// Swiping up would take the whole screen; this many pixels are enough.
const LIFT_PX = 90

/**
 * The mini player of phones under a finger: up opens the player; down removes it while nothing plays, and offers to
 * undo that.
 */
function useMiniGestures(region: RefObject<HTMLElement | null>) {
  const { player, playerSheet, toasts, failed } = useApp()
  const { t } = useTranslation()
  useEffect(() => {
    const mini = region.current!
    const place = (distance: number) => (mini.style.translate = distance === 0 ? '' : `0 ${distance}px`)
    function dismiss() {
      const playing = player.current.peek()!
      player.clear()
      const restore = () =>
        player.show({ podcastEpisode: playing.episode, podcastHistoryItem: null }, playing.podcastName)
      toasts.done(t('player-dismissed'), { label: t('undo'), run: () => void restore().catch(failed) })
    }
    return followFinger(mini, {
      mayStart: direction =>
        matchMedia('(width < 768px)').matches &&
        !playerSheet.isOpen.peek() &&
        (direction === 'up' || !(player.isPlaying.peek() || player.isWaiting.peek())),
      onMove: distance => place(Math.max(-LIFT_PX, distance)),
      onEnd(distance, velocity) {
        place(0)
        if (distance < 0 && settles(distance, velocity, -LIFT_PX)) playerSheet.open()
        if (distance > 0 && settles(distance, velocity, LIFT_PX)) dismiss()
      },
    })
  }, [region, player, playerSheet, toasts, failed, t])
}

const LiveSheet = lazily(async () => (await import('./live-sheet')).LiveSheet)
const PlayerSheet = lazily(async () => (await import('./sheet')).PlayerSheet)
const CornerPicture = lazily(async () => (await import('./picture')).CornerPicture)

/** The player bar: the current episode and its controls. Empty while no episode is loaded. */
function PlayerBar() {
  useSignals()
  const { player, playerSheet } = useApp()
  const playing = player.current.value
  if (!playing) return null
  return (
    <>
      <What playing={playing} />
      <div className="player-middle shrinks stack gap-2">
        <Transport />
        <SeekBar />
      </div>
      <Extras isLive={playing.live !== undefined} />
      {isVideo(playing) && <CornerPicture playing={playing} />}
      {playerSheet.isOpen.value && <Sheet playing={playing} onClose={playerSheet.close} />}
    </>
  )
}

const Sheet = ({ playing, onClose }: { playing: Playing; onClose: () => void }) =>
  playing.live ? (
    <LiveSheet playing={{ ...playing, live: playing.live }} onClose={onClose} />
  ) : (
    <PlayerSheet playing={playing} onClose={onClose} />
  )

/** Returns what opens the player: its cover moves there from the bar once its code is here. */
function useOpening() {
  const { playerSheet } = useApp()
  return () => void PlayerSheet.load().then(() => movingCover(playerSheet.open), playerSheet.open)
}

/** The cover and the titles of the current episode. */
function What({ playing }: { playing: Playing }) {
  const open = useOpening()
  const { episode, podcastName, podcastId, live } = playing
  return (
    <div className="player-what shrinks row gap-12">
      {/* For touch and mouse only: keyboard and screen reader users have the button at the end of the bar. */}
      <button type="button" className="player-cover rigid plain" aria-hidden="true" tabIndex={-1} onClick={open}>
        <Cover
          src={episode.local_image_url}
          name={podcastName || episode.name}
          isMissing={episode.image_url === ''}
          size={128}
        />
      </button>
      <div className="player-titles shrinks">
        <Link
          className="player-title block link ink strong truncate"
          dir="auto"
          href={routes.episodes(podcastId, live ? undefined : episode.id)}
        >
          {episode.name}
        </Link>
        <Link className="player-podcast block muted link faint truncate" dir="auto" href={routes.episodes(podcastId)}>
          {podcastName}
        </Link>
      </div>
      {!live && <LikeButton playing={playing} />}
    </div>
  )
}

/** The controls at the end of the bar. Phones have only the last one, over everything that shows what plays. */
function Extras({ isLive }: { isLive: boolean }) {
  useSignals()
  const { t } = useTranslation()
  const { upcoming, queuePanel } = useApp()
  const open = useOpening()
  return (
    <div className="player-extras at-end row gap-2">
      {!isLive && <RateControl />}
      <SleepMenu />
      {!isLive && <RemoteButton />}
      <IconButton
        icon={ListMusic}
        label={t('queue')}
        badge={upcoming.value.length}
        className="player-queue"
        aria-controls="queue"
        aria-expanded={queuePanel.isShown.value}
        onClick={queuePanel.toggle}
      />
      <span className="volume row">
        <MuteButton />
        <VolumeSlider />
      </span>
      <VolumePopup />
      <IconButton
        icon={Maximize2}
        label={t('open-player')}
        aria-haspopup="dialog"
        className="player-expand"
        onClick={open}
      />
    </div>
  )
}
