import { useSignals } from '@preact/signals-react/runtime'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useApp } from '../../app-context'
import { PodcastCover } from '../../library/covers'
import { routes } from '../../routes'
import { formatCount } from '../../format'

type Props = {
  state: string
  podcastId: string
  podcastName: string
  episodeId: string
  episodeName: string
  /** The progress or the result. */
  facts: ReactNode
  /** The buttons. */
  children: ReactNode
}

/** A row of the page of downloads: the cover, and links to the episode, around its facts and its buttons. */
export function DownloadFrame({ state, podcastId, podcastName, episodeId, episodeName, facts, children }: Props) {
  useSignals()
  const { library } = useApp()
  const podcast = library.byId.value.get(podcastId)
  return (
    <li className={`download level stack is-${state}`}>
      {podcast ? <PodcastCover podcast={podcast} size={64} /> : <span />}
      <div className="download-what stack gap-2 shrinks">
        <Link className="link truncate ink strong" href={routes.episodes(podcastId, episodeId)} dir="auto">
          {episodeName}
        </Link>
        <span className="muted truncate" dir="auto">
          {podcastName}
        </span>
      </div>
      <div className="download-how stack gap-2 shrinks">{facts}</div>
      <div className="download-actions at-end row">{children}</div>
    </li>
  )
}

type DownloadsSectionProps = {
  title: string
  count: number
  /** There are more than the section shows. */
  isCut?: boolean
  action?: ReactNode
  children: ReactNode
}

/** A part of the page of downloads, left out while it is empty. */
export function Section({ title, count, isCut, action, children }: DownloadsSectionProps) {
  if (count === 0) return null
  return (
    <section>
      <div className="downloads-heading pressable above-16 wrap row gap-8 spread">
        <h2 className="flush">
          {title} <span className="numbers faint regular">{`${formatCount(count)}${isCut ? '+' : ''}`}</span>
        </h2>
        {action}
      </div>
      <ul className="download-list ruled">{children}</ul>
    </section>
  )
}
