import { useSignals } from '@preact/signals-react/runtime'
import { useEffect, useRef, useState } from 'react'
import { useApp } from '../../app-context'
import { PlayButton } from '../episodes/play-button'

let current: HTMLAudioElement | null = null

type Props = {
  /** Name of what is heard. */
  name: string
  className?: string
  /** Finds the address to play. */
  find: () => Promise<string>
  onFailed: (error: unknown) => void
}

/**
 * Plays an episode of a podcast that is not in the library, apart from the player, which pauses. It ends with this
 * button, and when anything else plays.
 */
export function SampleButton({ name, className = '', find, onFailed }: Props) {
  useSignals()
  const { player } = useApp()
  const audio = useRef<HTMLAudioElement>(null)
  const [address, setAddress] = useState<string | null>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [share, setShare] = useState(0)
  const isPlayerBusy = player.isPlaying.value
  useEffect(() => {
    if (!isPlayerBusy) return
    audio.current?.pause()
    if (current === audio.current) current = null
  }, [isPlayerBusy])

  async function toggle() {
    const element = audio.current!
    if (isPlaying) return element.pause()
    player.pause()
    if (current !== element) current?.pause()
    current = element
    setPlaying(true)
    try {
      if (address === null) {
        element.src = await find()
        setAddress(element.src)
      }
      // Something else may play, or the page be left, since the address was looked for.
      if (current === element && element.isConnected) await element.play()
      else setPlaying(false)
    } catch (error) {
      setPlaying(false)
      if (!(error instanceof DOMException && error.name === 'AbortError')) onFailed(error)
    }
  }
  return (
    <>
      {/* Nobody sees it: its controls are the button. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <audio
        ref={audio}
        hidden
        preload="none"
        onPause={() => setPlaying(false)}
        onPlaying={() => setPlaying(true)}
        onTimeUpdate={({ currentTarget: { currentTime, duration } }) =>
          setShare(duration > 0 ? currentTime / duration : 0)
        }
      />
      <PlayButton name={name} className={className} isPlaying={isPlaying} share={share} onClick={() => void toggle()} />
    </>
  )
}
