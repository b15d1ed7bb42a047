import { ImageDown, Share } from 'lucide-react'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { withSize } from '../api/client'
import { useApp } from '../app-context'
import { canShareFile, saveFile, shareFile } from '../device/share'

/** Saves what a canvas shows as a file, or shares it. The server receives nothing. */
export function PictureButtons({ canvas, name }: { canvas: RefObject<HTMLCanvasElement | null>; name: string }) {
  const { failed } = useApp()
  const { t } = useTranslation()
  const fileOf = () =>
    new Promise<File>((resolve, reject) =>
      canvas.current!.toBlob(blob => {
        if (blob) resolve(new File([blob], `${name}.png`, { type: 'image/png' }))
        else reject(new Error('The browser could not draw the picture'))
      }, 'image/png'),
    )
  const mayShare = canShareFile(new File([], 'picture.png', { type: 'image/png' }))
  return (
    <div className="wrap gap-8">
      <button
        type="button"
        className="with-icon"
        onClick={() => void fileOf().then(file => saveFile(file.name, file), failed)}
      >
        <ImageDown size={18} strokeWidth={1.75} aria-hidden="true" />
        {t('save')}
      </button>
      {mayShare && (
        <button type="button" className="secondary with-icon" onClick={() => void fileOf().then(shareFile, failed)}>
          <Share size={18} strokeWidth={1.75} aria-hidden="true" />
          {t('share')}
        </button>
      )}
    </div>
  )
}

/** Loads a cover to draw; null if there is none. */
export function loadCover(address: string): Promise<HTMLImageElement | null> {
  const image = new Image()
  image.src = withSize(address, 256)
  return image.decode().then(
    () => image,
    () => null,
  )
}

/** Draws a square picture with round corners. */
export function drawCover(
  context: CanvasRenderingContext2D,
  cover: HTMLImageElement | null,
  { x, y, side }: { x: number; y: number; side: number },
) {
  if (!cover) return
  context.save()
  context.beginPath()
  context.roundRect(x, y, side, side, side / 10)
  context.clip()
  context.drawImage(cover, x, y, side, side)
  context.restore()
}
