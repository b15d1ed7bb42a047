import './picture.css'
import { useSignals } from '@preact/signals-react/runtime'
import { Captions as CaptionsIcon, Maximize, PictureInPicture2, X } from 'lucide-react'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { IconButton } from '../components/buttons'
import type { Transcript } from '../../shared/api/texts'
import { Menu } from '../components/menu'
import { languageName } from '../format-facts'
import type { Playing } from '../playback/state'
import { useResource } from '../use-resource'
import { signal } from '@preact/signals-core'

/** The picture of a video in the open player; it takes the place of the cover. */
export function Picture({ playing }: { playing: Playing }) {
  const { video, player } = useApp()
  const frame = useRef<HTMLDivElement>(null)
  useFrame(frame, true, player.toggle)
  useLayoutEffect(() => void (framesOf(video).hidden.value = null), [video])
  return (
    <div className="picture wide relative spaced clipped" ref={frame}>
      <Buttons playing={playing} />
    </div>
  )
}

/** The picture in place of the cover at the head of its podcast's page, while that is in view. */
export function PagePicture({ playing }: { playing: Playing }) {
  useSignals()
  const { video } = useApp()
  return framesOf(video).hasPicture.value && <PageFrame playing={playing} />
}

function PageFrame({ playing }: { playing: Playing }) {
  const { video, player } = useApp()
  const frame = useRef<HTMLDivElement>(null)
  const [isSeen, setSeen] = useState(false)
  useFrame(frame, isSeen, player.toggle)
  useLayoutEffect(() => {
    const { isInPage } = framesOf(video)
    const see = (is: boolean) => setSeen((isInPage.value = is))
    // Phones have no room for it.
    see(frame.current!.offsetWidth > 0)
    const observer = new IntersectionObserver(([entry]) => see(entry!.isIntersecting), { threshold: 0.5 })
    observer.observe(frame.current!)
    return () => {
      observer.disconnect()
      isInPage.value = false
    }
  }, [video])
  return (
    <div className="picture page-picture above-phone relative clipped" ref={frame}>
      <Buttons playing={playing} />
    </div>
  )
}

/** The picture above the player while other pages are open. A press opens the player; without it the sound continues. */
export function CornerPicture({ playing }: { playing: Playing }) {
  useSignals()
  const { video, playerSheet } = useApp()
  const { hasPicture, isInPage, isFloating, hidden } = framesOf(video)
  const isWanted = hasPicture.value && hidden.value !== playing.episode.id
  if (!isWanted || isInPage.value || isFloating.value || playerSheet.isOpen.value) return null
  return <CornerFrame playing={playing} />
}

function CornerFrame({ playing }: { playing: Playing }) {
  const { video, playerSheet } = useApp()
  const { t } = useTranslation()
  const frame = useRef<HTMLDivElement>(null)
  useFrame(frame, true, playerSheet.open)
  return (
    <div className="picture corner-picture absolute clipped floating" ref={frame}>
      <Buttons playing={playing} />
      <IconButton
        icon={X}
        label={t('hide-picture')}
        className="picture-hide absolute"
        onClick={() => (framesOf(video).hidden.value = playing.episode.id)}
      />
    </div>
  )
}

/** Shows the video in a frame; a press on it calls `onPress`. */
function useFrame(frame: RefObject<HTMLElement | null>, isShown: boolean, onPress: () => void) {
  const { video } = useApp()
  useLayoutEffect(() => {
    const element = frame.current!
    if (!isShown) return
    const leave = framesOf(video).show(element)
    // Over the whole screen the browser's own controls take the press.
    const press = ({ target }: Event) => target === video && !video.controls && onPress()
    element.addEventListener('click', press)
    return () => {
      element.removeEventListener('click', press)
      leave()
    }
  }, [video, frame, isShown, onPress])
}

function Buttons({ playing: { episode, live } }: { playing: Playing }) {
  const { video, failed } = useApp()
  const { t } = useTranslation()
  return (
    <span className="picture-buttons absolute flex rounded">
      {!live && <Captions episodeId={episode.id} />}
      {document.pictureInPictureEnabled && (
        <IconButton
          icon={PictureInPicture2}
          label={t('picture-in-picture')}
          onClick={() => void video.requestPictureInPicture().catch(failed)}
        />
      )}
      <IconButton icon={Maximize} label={t('fill-screen')} onClick={() => void fillScreen(video).catch(failed)} />
    </span>
  )
}

/** iPhones know only their own way. */
async function fillScreen(video: HTMLVideoElement & { webkitEnterFullscreen?: () => void }) {
  await (video.requestFullscreen ? video.requestFullscreen() : video.webkitEnterFullscreen?.())
}

/**
 * A button that turns the captions of a video on, by language, and off; nothing if the feed names none. The choice is
 * remembered for other videos.
 */
export function Captions({ episodeId }: { episodeId: string }) {
  const { api, video } = useApp()
  const { t } = useTranslation()
  const { data, isStale } = useResource((_, id: string) => api.episodes.transcripts(id), [episodeId])
  const all = isStale ? none : (data ?? none).filter(({ captions }) => captions !== null)
  const [shown, setShown] = useState<string | null>(null)
  const [wanted, setWanted] = useState(() => localStorage.getItem(LANGUAGE))
  const chosen = all.find(({ id }) => id === shown) ?? all.find(one => (one.language ?? '') === wanted)
  const address = chosen?.captions ?? null
  const language = chosen?.language ?? ''
  useLayoutEffect(() => {
    if (address === null) return
    const { pathname, search } = new URL(address, location.href)
    const track = document.createElement('track')
    Object.assign(track, { kind: 'captions', src: pathname + search, srclang: language })
    video.append(track)
    track.track.mode = 'showing'
    return () => track.remove()
  }, [video, address, language])
  function choose(one: Transcript | null) {
    const code = one && (one.language ?? '')
    setShown(one?.id ?? null)
    setWanted(code)
    if (code === null) localStorage.removeItem(LANGUAGE)
    else localStorage.setItem(LANGUAGE, code)
  }
  if (all.length === 0) return null
  return (
    <Menu
      icon={CaptionsIcon}
      label={t('captions')}
      items={[
        ...all.map(one => ({
          label: one.language === null ? t('captions') : languageName(one.language),
          isChecked: one === chosen,
          onSelect: () => choose(one),
        })),
        { label: t('captions-off'), isChecked: chosen === undefined, onSelect: () => choose(null) },
      ]}
    />
  )
}

const none: readonly Transcript[] = []
/** The language of the last chosen captions, '' = unknown; absent while they are off. */
const LANGUAGE = 'player.captions'

const known = new WeakMap<HTMLVideoElement, ReturnType<typeof createFrames>>()

/** The frames of a page in which its video can be shown. */
export function framesOf(video: HTMLVideoElement) {
  const frames = known.get(video) ?? createFrames(video)
  known.set(video, frames)
  return frames
}

function createFrames(video: HTMLVideoElement) {
  const stack: HTMLElement[] = []
  const hasPicture = signal(false)
  const isFloating = signal(false)
  const isInPage = signal(false)
  const hidden = signal<string | null>(null)
  const look = () => (hasPicture.value = video.hasAttribute('src'))
  look()
  // An iPhone would fill the screen at once.
  video.playsInline = true
  for (const name of ['loadstart', 'emptied']) video.addEventListener(name, look)
  video.addEventListener('enterpictureinpicture', () => (isFloating.value = true))
  video.addEventListener('leavepictureinpicture', () => (isFloating.value = false))
  document.addEventListener('fullscreenchange', () => (video.controls = document.fullscreenElement === video))

  /** Moves the video to the last frame; hidden in the page without one, since it would pause outside of it. */
  function place() {
    const parent: HTMLElement = stack.at(-1) ?? document.body
    if (video.parentElement === parent) return
    // In the floating window it survives only this move.
    if (video.isConnected && 'moveBefore' in parent) (parent.moveBefore as Node['insertBefore'])(video, null)
    else parent.append(video)
  }
  return {
    /** Whether something was pressed that has a picture. */
    hasPicture,
    /** Whether the browser shows the picture in a window over everything. */
    isFloating,
    /** Whether the page that is open shows the picture. */
    isInPage,
    /** The `id` of the episode whose picture is not wanted in the corner. */
    hidden,
    /** Shows the video in a frame, until the returned function is called. */
    show(frame: HTMLElement) {
      stack.push(frame)
      place()
      return () => {
        stack.splice(stack.indexOf(frame), 1)
        place()
      }
    },
  }
}
