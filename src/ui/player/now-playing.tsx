import { useSignals } from '@preact/signals-react/runtime'
import { AudioWaveform, ChevronFirst, ChevronLast } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Chapter } from '../../shared/api/chapter'
import { useApp } from '../app-context'
import { Cover } from '../components/cover'
import { IconButton } from '../components/icon-button'
import { routes } from '../routes'
import { chapterAt, startBefore } from './chapters'
import { NextButton, RateButton, SeekBar, Transport, VolumeControl } from './controls'
import { Picture } from './picture'
import { canShapeSound } from './shaper'
import { SleepMenu } from './sleep-menu'
import { isVideo, type Playing } from './state'

type Props = {
  playing: Playing
  chapters: readonly Chapter[]
  onPlayAt: (seconds: number) => void
  /** A link leads to another page. */
  onLeave: () => void
}

/** The left column of the open player: the picture, the names and the controls. */
export function NowPlaying({ playing, chapters, onPlayAt, onLeave }: Props) {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const { episode, podcastName, podcastId } = playing
  const current = chapters[chapterAt(chapters, player.position.value)]
  return (
    <section className="sheet-player" aria-label={t('player')}>
      {isVideo(episode) ? <Picture /> : <ChapterCover playing={playing} chapter={current} />}
      <h2 className="sheet-title">{episode.name}</h2>
      <Link className="muted" href={routes.episodes(podcastId)} onClick={onLeave}>
        {podcastName}
      </Link>
      {current && <p className="sheet-chapter muted">{current.title}</p>}
      <SeekBar player={player} chapters={chapters} />
      <SheetControls chapters={chapters} onPlayAt={onPlayAt} />
      <div className="sheet-extras">
        <RateButton player={player} />
        <SleepMenu />
        {canShapeSound() && (
          <IconButton
            icon={AudioWaveform}
            label={t('skip-silence')}
            aria-pressed={player.skipsSilence.value}
            onClick={player.toggleSkipSilence}
          />
        )}
        <NextButton />
        <VolumeControl player={player} />
      </div>
    </section>
  )
}

/** The picture of the chapter, where it has one, otherwise the cover of the episode. */
function ChapterCover({ playing, chapter }: { playing: Playing; chapter: Chapter | undefined }) {
  const { episode, podcastName } = playing
  const src = chapter?.image ?? episode.local_image_url
  return (
    <Cover
      key={src}
      src={src}
      name={podcastName || episode.name}
      isMissing={!chapter?.image && episode.image_url === ''}
      size={512}
      eager
    />
  )
}

/** The transport, between the buttons that go from chapter to chapter. */
function SheetControls({ chapters, onPlayAt }: Pick<Props, 'chapters' | 'onPlayAt'>) {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const position = player.position.value
  const next = chapters[chapterAt(chapters, position) + 1]
  return (
    <div className="sheet-controls">
      {chapters.length > 0 && (
        <IconButton
          icon={ChevronFirst}
          label={t('chapter-back')}
          onClick={() => onPlayAt(startBefore(chapters, position))}
        />
      )}
      <Transport player={player} />
      {chapters.length > 0 && (
        <IconButton
          icon={ChevronLast}
          label={t('chapter-forward')}
          disabled={!next}
          onClick={() => next && onPlayAt(next.startTime)}
        />
      )}
    </div>
  )
}
