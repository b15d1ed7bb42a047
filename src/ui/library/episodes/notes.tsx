import { useMemo, type MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { linkTimes, secondsOfLink } from './time-links'
import './notes.css'

type Props = {
  /** Sanitised by the server. */
  html: string
  /** Length of the episode in seconds; 0 = unknown. */
  longest: number
  onPlayAt: (seconds: number) => void
}

/** Show notes. Every time in them is a link that plays from there. */
export function Notes({ html, longest, onPlayAt }: Props) {
  const { t } = useTranslation()
  const linked = useMemo(
    () => linkTimes(html, { longest, nameOf: time => t('play-from-time', { time }) }),
    [html, longest, t],
  )
  if (html === '') return <p className="episode-notes muted">{t('no-notes')}</p>
  function onClick(event: MouseEvent) {
    const seconds = secondsOfLink(event.target)
    if (seconds === null) return
    event.preventDefault()
    onPlayAt(seconds)
  }
  // The links in it are what is clicked and focused.
  return (
    <div
      role="presentation"
      className="episode-notes"
      dir="auto"
      onClick={onClick}
      dangerouslySetInnerHTML={{ __html: linked }}
    />
  )
}
