import { Maximize, PictureInPicture2 } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { IconButton } from '../components/icon-button'
import { Captions } from './captions'
import './picture.css'

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
      // Outside of the document it would pause; hidden in the document it continues.
      document.body.append(video)
    }
  }, [video, player])
  return (
    <div className="picture" ref={frame}>
      <span className="picture-buttons">
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
