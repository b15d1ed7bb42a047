import type { Signal } from '@preact/signals-core'
import { useSignals } from '@preact/signals-react/runtime'
import type { TFunction } from 'i18next'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FeedPreview, FeedPreview as Seen } from '../../../shared/api/directory'
import { useApp } from '../../app-context'
import { tintStyle } from '../../components/cover'
import { FilterChip } from '../../components/filter-chip'
import { formatBytes } from '../../format-facts'
import { formatDate, formatMinutes } from '../../format'
import { currentLanguage } from '../../i18n'
import { ForeignCover } from '../covers'
import type { DirectoryHit } from '../../api/directory'
import type { Sample } from '../../state/shell'
import { PlayButton } from '../episodes/play-button'
import './adding.css'

/** A podcast as it would be added: on the colour of its name, since its cover is not on the server yet. */
export function PreviewOfFeed({ seen }: { seen: Seen }) {
  const { failed } = useApp()
  const { t } = useTranslation()
  const { title, author, language, explicit, summary, imageUrl, newest } = seen
  const facts = [author, language && nameOfLanguage(language), explicit && t('explicit')]
  return (
    <section className="feed-preview tinted washed padded" style={tintStyle(null, title)} aria-label={title}>
      <div className="feed-preview-head stack gap-16">
        <ForeignCover src={imageUrl} name={title} size={256} />
        <div>
          <h3 className="breaks" dir="auto">
            {title}
          </h3>
          <p className="muted flush" dir="auto">
            {facts.filter(Boolean).join(' · ')}
          </p>
          {summary && (
            <p className="feed-preview-about fine clamp flush" dir="auto">
              {summary}
            </p>
          )}
          <p className="muted numbers flush">{countOf(seen, t)}</p>
        </div>
      </div>
      {newest && (
        <div className="feed-preview-newest ruled-above row gap-12">
          <SampleButton
            key={newest.local_url}
            name={newest.name}
            hit={{ ...seen, author: author ?? '', image: imageUrl, podcastId: null }}
            find={async () => newest.local_url}
            onFailed={failed}
          />
          <div className="grow">
            <p className="muted numbers flush">
              {[
                t('newest'),
                newest.publishedAt && formatDate(newest.publishedAt),
                newest.duration > 0 && formatMinutes(newest.duration),
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
            <p className="truncate flush strong" dir="auto">
              {newest.name}
            </p>
          </div>
        </div>
      )}
    </section>
  )
}

/** Keeps the height of a preview while it is fetched. */
export function FeedPreviewSkeleton() {
  return <div className="feed-preview-skeleton padded shaded" aria-hidden="true" />
}

function countOf({ episodes, hasMorePages, oldestAt }: Seen, t: TFunction): string {
  if (hasMorePages) return t('episodes-more-than', { count: episodes })
  if (!oldestAt) return t('episodes-count', { count: episodes })
  const month = new Intl.DateTimeFormat(currentLanguage(), { month: 'long', year: 'numeric' }).format(
    new Date(oldestAt),
  )
  return t('episodes-since', { count: episodes, month })
}

function nameOfLanguage(code: string): string {
  try {
    return new Intl.DisplayNames([currentLanguage()], { type: 'language' }).of(code) ?? code
  } catch {
    return code
  }
}

/** Number of newest episodes to download; null means all. */
export type FirstDownloads = number | null

/** The number that is downloaded unless somebody chooses another. */
export const usualDownloads = ({ downloads, episodes, hasMorePages }: FeedPreview): FirstDownloads | undefined =>
  downloads && downloads.usual > 0 && downloads.usual >= episodes && !hasMorePages ? null : downloads?.usual

/** Chooses how many episodes the server downloads at once when a podcast is added. */
export function DownloadChoice({
  seen,
  chosen,
  onChoose,
}: {
  seen: FeedPreview
  chosen: FirstDownloads
  onChoose: (first: FirstDownloads) => void
}) {
  const { t } = useTranslation()
  const { episodes, hasMorePages, downloads, sizes } = seen
  if (!downloads || episodes === 0) return null
  const counts = [...new Set([5, 25, downloads.usual])].sort((one, other) => one - other)
  const fitting = counts.filter(count => count > 0 && (count < episodes || hasMorePages))
  const sizeOf = (count: FirstDownloads) =>
    count === null
      ? hasMorePages
        ? null
        : sizes.all
      : count === 5
        ? sizes.newest5
        : count === 25
          ? sizes.newest25
          : null
  const labelOf = (count: FirstDownloads) =>
    count === 0
      ? t('download-nothing')
      : count !== null
        ? t('download-newest', { count })
        : hasMorePages
          ? t('download-all-of-it')
          : t('download-all-count', { count: episodes })
  const { freeBytes, follows } = downloads
  return (
    <fieldset className="download-choice above-16">
      <legend className="text-s strong">{t('download-to-server')}</legend>
      <div className="wrap gap-8">
        {[0, ...fitting, null].map(count => {
          const bytes = sizeOf(count)
          return (
            <FilterChip
              key={count}
              label={
                <>
                  {labelOf(count)} {bytes !== null && <span className="numbers">· {formatBytes(bytes)}</span>}
                </>
              }
              isOn={chosen === count}
              onToggle={() => onChoose(count)}
            />
          )
        })}
      </div>
      <p className="muted numbers flush above-8">
        {t(follows ? 'new-ones-follow' : 'new-ones-do-not-follow')}{' '}
        {freeBytes !== null && t('free-on-server', { size: formatBytes(freeBytes) })}
      </p>
    </fieldset>
  )
}

let current: HTMLAudioElement | null = null

type SampleProps = {
  /** Name of what is heard. */
  name: string
  /** Its podcast, which can be added. */
  hit: DirectoryHit
  className?: string
  /** Finds the address to play. */
  find: () => Promise<string>
  onFailed: (error: unknown) => void
}

/** Shows a sample in the bar of the player; returns what ends that. */
function announce(shown: Signal<Sample | null>, sample: Sample) {
  shown.value = sample
  return () => {
    if (shown.peek() === sample) shown.value = null
  }
}

/**
 * Plays an episode of a podcast that is not in the library, apart from the player, which pauses. It ends with this
 * button, when anything else plays, and when the podcast is added: then the player continues it.
 */
export function SampleButton({ name, hit, className = '', find, onFailed }: SampleProps) {
  useSignals()
  const { player, sample } = useApp()
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

  // Those that ask for this button describe the podcast anew each time they are drawn, which a change of `sample` does.
  const latest = useRef({ name, hit })
  useEffect(() => {
    latest.current = { name, hit }
  })
  useEffect(() => {
    if (!isPlaying) return
    const element = audio.current!
    return announce(sample, {
      ...latest.current,
      second: () => element.currentTime,
      stop: () => element.pause(),
    })
  }, [isPlaying, sample])

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
      // A press on another sample ends the search for this one's address.
      const isGivenUp = current !== element || (error instanceof DOMException && error.name === 'AbortError')
      if (!isGivenUp) onFailed(error)
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
