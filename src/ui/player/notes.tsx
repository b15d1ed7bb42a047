import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Episode } from '../../shared/api/episode'
import { Empty } from '../components/states'
import { linkTimes, secondsOfLink } from '../library/episodes/time-links'

type Props = { episode: Episode; onPlayAt: (seconds: number) => void }

/** The notes, as HTML that the server has made safe; the times in them play from there. */
export function Notes({ episode: { description, total_time }, onPlayAt }: Props) {
  const { t } = useTranslation()
  const html = useMemo(
    () => linkTimes(description, { longest: total_time, nameOf: time => t('play-from-time', { time }) }),
    [description, total_time, t],
  )
  const notes = useRef<HTMLDivElement>(null)
  // The links in it are what is clicked and focused, not the notes.
  useEffect(() => {
    const element = notes.current
    function onClick(event: MouseEvent) {
      const seconds = event.target && secondsOfLink(event.target)
      if (seconds === null) return
      event.preventDefault()
      onPlayAt(seconds)
    }
    element?.addEventListener('click', onClick)
    return () => element?.removeEventListener('click', onClick)
  }, [html, onPlayAt])
  if (description === '') return <Empty>{t('no-notes')}</Empty>
  return <div className="episode-notes" dir="auto" ref={notes} dangerouslySetInnerHTML={{ __html: html }} />
}
