import { type RefObject, useEffect } from 'react'
import { PlayerBar } from './bar'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
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
