import { useSignals } from '@preact/signals-react/runtime'
import { AudioLines, BookmarkPlus, Moon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { Menu } from '../components/menu'
import { formatMinutes } from '../format'
import { useDerived } from '../use-derived'
import { MarkTool } from './marked-tools'
import { RateButton } from './rate-control'
import { useIsRemote } from './buttons'
import { canShapeSound, maxVolume } from '../playback/shaper'
import { useSleepChoices, useSleepMinutes } from './sleep-menu'
import { VolumeIcon, VolumePopup } from './volume'
import './tools.css'

/** Five equal cells: speed, sleep, silence, bookmark and volume; each an icon above a word. */
export function Tools({ onBookmark }: { onBookmark: () => Promise<void> }) {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const isRemote = useIsRemote()
  const silence = isRemote ? `${t('skip-silence')}: ${t('remote-silence')}` : t('skip-silence')
  return (
    <div className="tools stack gap-8">
      <RateButton word={t('speed')} />
      <SleepTool />
      {canShapeSound() ? (
        <button
          type="button"
          className="tool caption plain center relative gap-2"
          aria-label={silence}
          title={silence}
          aria-pressed={player.skipsSilence.value && !isRemote}
          disabled={isRemote}
          onClick={player.toggleSkipSilence}
        >
          <AudioLines size={22} strokeWidth={1.75} aria-hidden="true" />
          <span>{t('skip-silence-short')}</span>
        </button>
      ) : (
        // Phones can't trim.
        <MarkTool />
      )}
      <button
        type="button"
        className="tool caption plain center relative gap-2"
        aria-label={t('bookmark-this')}
        title={t('bookmark-this')}
        onClick={() => void onBookmark()}
      >
        <BookmarkPlus size={22} strokeWidth={1.75} aria-hidden="true" />
        <span>{t('bookmark')}</span>
      </button>
      <VolumeTool />
      <SavedLine />
    </div>
  )
}

/** The length of the episode at this speed, and the minutes saved so far. Keeps its line while there are none. */
function SavedLine() {
  const { player } = useApp()
  const { t } = useTranslation()
  const rate = useDerived(() => player.rate.value, [player])
  const seconds = useDerived(() => Math.round(player.duration.value / 60) * 60, [player])
  // In whole minutes, so that a passing second changes nothing.
  const saved = useDerived(() => {
    const { saved: bySpeed, trimmed } = player.timeSaved.value
    return Math.floor((bySpeed + trimmed) / 60) * 60
  }, [player])
  const parts = [
    rate !== 1 &&
      seconds > 0 &&
      t('length-becomes', { from: formatMinutes(seconds), to: formatMinutes(seconds / rate) }),
    saved > 0 && t('saved-so-far', { time: formatMinutes(saved) }),
  ]
  return (
    <p className="saved-line caption regular numbers flush middle">{parts.filter(Boolean).join(' · ') || '\u00a0'}</p>
  )
}

/** A menu as a tool: its button covers the icon and the word, which are only visual. */
function Tool({ isOn, icon, word, children }: { isOn: boolean; icon: ReactNode; word: string; children: ReactNode }) {
  return (
    <span className={`tool caption plain center relative gap-2 ${isOn ? 'is-on' : ''}`}>
      {icon}
      <span aria-hidden="true">{word}</span>
      {children}
    </span>
  )
}

function SleepTool() {
  const { t } = useTranslation()
  const minutes = useSleepMinutes()
  return (
    <Tool
      isOn={minutes !== null}
      icon={<Moon size={22} strokeWidth={1.75} aria-hidden="true" />}
      word={minutes === null ? t('sleep') : formatMinutes(minutes * 60)}
    >
      <Menu
        icon={Moon}
        label={minutes === null ? t('sleep-timer') : t('sleep-timer-left', { count: minutes })}
        items={useSleepChoices()}
      />
    </Tool>
  )
}

function VolumeTool() {
  useSignals()
  const { player } = useApp()
  const isRemote = useIsRemote()
  const shown = player.isMuted.value ? 0 : Math.min(maxVolume(), player.volume.value)
  return (
    <VolumePopup>
      <VolumeIcon size={22} />
      <span className="numbers" dir="ltr">
        {isRemote ? '–' : `${shown} %`}
      </span>
    </VolumePopup>
  )
}
