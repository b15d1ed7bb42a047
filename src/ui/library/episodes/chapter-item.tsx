import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Chapter } from '../../../shared/api/chapter'
import { formatDuration } from '../../../shared/duration'

type Props = {
  chapter: Chapter
  className: string
  isCurrent?: boolean
  isAdvertising?: boolean
  /** Shown behind the title. */
  children?: ReactNode
  /** Shown at the end of the row. */
  menu?: ReactNode
  onPlayAt: (seconds: number) => void
}

/** A chapter of a list: its time and title, which play from there on a click, and its link. */
export function ChapterItem({
  chapter,
  className,
  isCurrent = false,
  isAdvertising = false,
  children,
  menu,
  onPlayAt,
}: Props) {
  const { t } = useTranslation()
  const { startTime, title, href } = chapter
  const name = t('play-from', { time: formatDuration(startTime), title })
  return (
    <li className="row gap-4">
      <button
        type="button"
        className={className}
        // The current one is named by its content, which says what is left of it.
        aria-label={isCurrent ? undefined : isAdvertising ? `${name}, ${t('advertising')}` : name}
        aria-current={isCurrent ? 'true' : undefined}
        onClick={() => onPlayAt(startTime)}
      >
        <time className="numbers">{formatDuration(startTime)}</time>{' '}
        <span dir="auto">{title || t('chapter-without-title')}</span>{' '}
        {isAdvertising && <small className="advertising">{t('advertising')}</small>} {children}
      </button>
      {href && (
        <a
          className="center"
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={t('link-of', { name: title })}
        >
          <ExternalLink size={16} aria-hidden="true" />
        </a>
      )}
      {menu}
    </li>
  )
}
