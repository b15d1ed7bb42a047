import { useSignals } from '@preact/signals-react/runtime'
import { AudioWaveform, ChevronDown, ChevronFirst, ChevronLast, Link as LinkIcon, Moon, Share2 } from 'lucide-react'
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Chapter } from '../../shared/api/chapter'
import { formatDuration } from '../../shared/duration'
import { useApp } from '../app-context'
import { copyText } from '../device/clipboard'
import { Cover } from '../components/cover'
import { useModal } from '../components/dialog'
import { ChapterList, useChapters } from '../library/episodes/chapters'
import { Segments } from '../library/episodes/transcript'
import { IconButton } from '../components/icon-button'
import { Menu } from '../components/menu'
import { Empty } from '../components/states'
import { routes } from '../routes'
import { Bookmarks } from './bookmarks'
import { sleepMinutes } from './sleep-timer'
import { NextButton, RateButton, SeekBar, Transport, VolumeControl } from './controls'
import { canShapeSound } from './shaper'
import { isVideo, type Playing } from './state'
import { Picture } from './picture'
import { UpNextList } from './up-next'
import './sheet.css'

// A sheet of the system's own, where there is one and a finger to use it.
const canShare = 'share' in navigator && matchMedia('(pointer: coarse)').matches

// Within a chapter's first seconds, back means the one before it.
const JUST_BEGUN_SECONDS = 3

/** The player over the whole page: everything about what plays, and everything that can be done with it. */
export function PlayerSheet({ playing, onClose }: { playing: Playing; onClose: () => void }) {
  useSignals()
  const { player, prefix, toasts } = useApp()
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  const { episode, podcastName, podcastId } = playing
  const chapters = useChapters(episode.id, episode.has_chapters) ?? []
  const position = player.position.value
  const place = chapters.findLastIndex(({ startTime }) => startTime <= position)
  const playAt = (seconds: number) => {
    player.seek(seconds)
    void player.resume()
  }
  useModal(dialog)
  const close = () => dialog.current?.close()

  async function share() {
    const path = routes.episodes(podcastId, episode.id, player.position.peek())
    const { href } = new URL(`${prefix}/ui${path}`, location.href)
    // Phones have a sheet of their own for this; whoever closes it again meant nothing.
    if (canShare) return navigator.share({ title: episode.name, url: href }).catch(() => undefined)
    if (await copyText(href)) toasts.done(t('link-copied'))
    else toasts.failed(t('link-not-copied', { link: href }))
  }
  const current = chapters[place]
  return (
    <dialog ref={dialog} className="player-sheet" aria-label={t('player-of', { name: episode.name })} onClose={onClose}>
      <header className="sheet-header">
        <IconButton icon={ChevronDown} label={t('close-player')} onClick={close} />
        <span className="top-bar-space" />
        <IconButton
          icon={canShare ? Share2 : LinkIcon}
          label={canShare ? t('share-moment') : t('copy-link-at-time')}
          onClick={() => void share()}
        />
      </header>
      <div className="sheet-columns">
        <section className="sheet-player" aria-label={t('player')}>
          {isVideo(episode) ? (
            <Picture />
          ) : (
            <Cover
              key={current?.image ?? episode.local_image_url}
              src={current?.image ?? episode.local_image_url}
              name={podcastName || episode.name}
              isMissing={!current?.image && episode.image_url === ''}
              size={512}
              eager
            />
          )}
          <h2 className="sheet-title">{episode.name}</h2>
          <Link className="muted" href={routes.episodes(podcastId)} onClick={close}>
            {podcastName}
          </Link>
          {current && <p className="sheet-chapter muted">{current.title}</p>}
          <SeekBar player={player} chapters={chapters} />
          <div className="sheet-controls">
            {chapters.length > 0 && (
              <IconButton
                icon={ChevronFirst}
                label={t('chapter-back')}
                onClick={() => playAt(startBefore(chapters, place, position))}
              />
            )}
            <Transport player={player} />
            {chapters.length > 0 && (
              <IconButton
                icon={ChevronLast}
                label={t('chapter-forward')}
                disabled={place >= chapters.length - 1}
                onClick={() => playAt(chapters[place + 1]!.startTime)}
              />
            )}
          </div>
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
        <Panels
          panels={[
            { id: 'notes', label: t('notes'), content: <Notes html={episode.description} /> },
            ...(chapters.length > 0
              ? [
                  {
                    id: 'chapters',
                    label: t('chapters'),
                    content: <ChapterList chapters={chapters} current={current} onPlayAt={playAt} />,
                  },
                ]
              : []),
            ...(episode.has_transcript
              ? [
                  {
                    id: 'transcript',
                    label: t('transcript'),
                    content: <Segments episodeId={episode.id} moment={Math.floor(position)} onPlayAt={playAt} />,
                  },
                ]
              : []),
            { id: 'up-next', label: t('up-next'), content: <UpNextList /> },
            {
              id: 'bookmarks',
              label: t('bookmarks'),
              content: <Bookmarks key={episode.id} episodeId={episode.id} onPlayAt={playAt} />,
            },
          ]}
        />
      </div>
    </dialog>
  )
}

/** When to stop; what remains stands beside it. */
function SleepMenu() {
  useSignals()
  const { sleepTimer } = useApp()
  const { t } = useTranslation()
  const until = sleepTimer.until.value
  const remaining = sleepTimer.remaining.value
  const text =
    until === 'episode-end' ? t('sleep-at-end-short') : remaining === null ? undefined : formatDuration(remaining)
  return (
    <Menu
      icon={Moon}
      label={t('sleep-timer')}
      text={text}
      items={[
        ...sleepMinutes.map(minutes => ({
          label: t('sleep-after', { count: minutes }),
          onSelect: () => sleepTimer.start(minutes),
        })),
        { label: t('sleep-at-end'), onSelect: () => sleepTimer.start('episode-end') },
        ...(until === null ? [] : [{ label: t('sleep-off'), onSelect: sleepTimer.cancel }]),
      ]}
    />
  )
}

function startBefore(chapters: readonly Chapter[], place: number, position: number): number {
  const start = chapters[place]?.startTime ?? 0
  return position - start > JUST_BEGUN_SECONDS ? start : (chapters[place - 1]?.startTime ?? 0)
}

/** The server has made them safe. */
function Notes({ html }: { html: string }) {
  const { t } = useTranslation()
  if (html === '') return <Empty>{t('no-notes')}</Empty>
  return <div className="episode-notes" dangerouslySetInnerHTML={{ __html: html }} />
}

type Panel = { id: string; label: string; content: ReactNode }

/** One of several panels at a time; arrows go from tab to tab. */
function Panels({ panels }: { panels: readonly Panel[] }) {
  const [chosen, setChosen] = useState('notes')
  const id = useId()
  const tabs = useRef<HTMLDivElement>(null)
  const at = Math.max(
    0,
    panels.findIndex(panel => panel.id === chosen),
  )
  function onKeyDown(event: KeyboardEvent) {
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: panels.length - 1 }
    const to = steps[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = (to + panels.length) % panels.length
    setChosen(panels[next]!.id)
    tabs.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <section className="sheet-panels">
      <div className="tabs" role="tablist" tabIndex={-1} ref={tabs} onKeyDown={onKeyDown}>
        {panels.map((panel, index) => (
          <button
            key={panel.id}
            type="button"
            role="tab"
            id={`${id}-${panel.id}-tab`}
            aria-controls={`${id}-panel`}
            aria-selected={index === at}
            tabIndex={index === at ? 0 : -1}
            onClick={() => setChosen(panel.id)}
          >
            {panel.label}
          </button>
        ))}
      </div>
      <div className="sheet-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${panels[at]!.id}-tab`}>
        {panels[at]!.content}
      </div>
    </section>
  )
}
