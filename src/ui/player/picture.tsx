import './stage.css'
import { Maximize, PictureInPicture2, Captions as CaptionsIcon } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { IconButton } from '../components/icon-button'
import type { Transcript } from '../../shared/api/texts'
import { Menu } from '../components/menu'
import { languageName } from '../format'
import { useResource } from '../use-resource'

/**
 * The picture of a video episode, or of a live stream without an id, shown while the player is open over the page; the
 * sound continues without it.
 */
export function Picture({ episodeId }: { episodeId: string | null }) {
  const { video, player, failed } = useApp()
  const { t } = useTranslation()
  const frame = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    frame.current!.prepend(video)
    video.addEventListener('click', player.toggle)
    return () => {
      video.removeEventListener('click', player.toggle)
      // Removed from the document it would pause; hidden in it, it continues.
      document.body.append(video)
    }
  }, [video, player])
  return (
    <div className="picture wide relative spaced" ref={frame}>
      <span className="picture-buttons absolute flex rounded gap-4">
        {episodeId !== null && <Captions episodeId={episodeId} />}
        {document.pictureInPictureEnabled && (
          <IconButton
            icon={PictureInPicture2}
            label={t('picture-in-picture')}
            onClick={() => void video.requestPictureInPicture().catch(failed)}
          />
        )}
        <IconButton
          icon={Maximize}
          label={t('fill-screen')}
          onClick={() => void video.requestFullscreen().catch(failed)}
        />
      </span>
    </div>
  )
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
