import { useSignals } from '@preact/signals-react/runtime'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useApp } from '../app-context'
import { Cover } from '../components/cover'
import { formatDate } from '../format'
import { routes } from '../routes'
import { LikeButton } from './like-button'
import { MarkButton } from './marked-tools'
import { Picture } from './picture'
import { SeekBar } from './seek-bar'
import { isVideo, type Playing } from './state'
import { Tools } from './tools'
import { Transport } from './transport-buttons'
import './stage.css'

type Props = {
  playing: Playing
  onBookmark: () => Promise<void>
  /** A link leads to another page. */
  onLeave: () => void
}

/** The picture, the names and the controls of the open player. */
export function Stage({ playing, onBookmark, onLeave }: Props) {
  const { t } = useTranslation()
  const { episode, podcastName, podcastId } = playing
  return (
    <section className="stage" aria-label={t('player')}>
      {isVideo(playing) ? <Picture episodeId={episode.id} /> : <StageCover playing={playing} />}
      <div className="stage-titles">
        <div>
          <h2 dir="auto">{episode.name}</h2>
          <Link className="muted" dir="auto" href={routes.episodes(podcastId)} onClick={onLeave}>
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

/** The picture of the chapter, where it has one, otherwise the cover of the episode; one fades over the other. */
function StageCover({ playing: { episode, podcastName } }: { playing: Playing }) {
  useSignals()
  const { chapters } = useApp()
  const image = chapters.current.value?.image
  const src = image ?? episode.local_image_url
  const last = useLast(src)
  const shared = { name: podcastName || episode.name, isMissing: !image && episode.image_url === '' }
  return (
    <span className="stage-cover">
      {last !== null && <Cover key={last} src={last} size={512} name={shared.name} />}
      <Cover key={src} src={src} size={512} eager {...shared} />
    </span>
  )
}

/** Returns the value before this one; null for the first. */
function useLast(value: string): string | null {
  const [values, setValues] = useState<{ last: string | null; now: string }>({ last: null, now: value })
  useEffect(() => setValues(({ now }) => (now === value ? { last: null, now } : { last: now, now: value })), [value])
  return values.now === value ? values.last : values.now
}
