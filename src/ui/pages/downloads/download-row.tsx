import { CircleX, Pause, Play, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Download } from '../../../shared/api/download'
import { IconButton } from '../../components/buttons'
import { formatCount, formatRelative, sentence } from '../../format'
import { formatBytes, formatSpan } from '../../format-facts'
import { routes } from '../../routes'
import type { LiveDownload } from '../../state/live-state'
import { useSignals } from '@preact/signals-react/runtime'
import { useApp } from '../../app-context'
import { PodcastCover } from '../../library/covers'

/** A download with its live state and progress. */
export type Shown = Omit<Download, 'state' | 'bytesPerSecond'> & Pick<LiveDownload, 'state' | 'bytesPerSecond'>

export type Commands = { onPause: () => void; onResume: () => void; onCancel: () => void }
/** `commands`: null for those who may not change downloads. */
type Props = { download: Shown; commands: Commands | null }

function Row({ download, facts, children }: { download: Shown; facts: ReactNode; children: ReactNode }) {
  const { state, podcastId, podcastName, episode_id, episodeName } = download
  return (
    <DownloadFrame {...{ state, podcastId, podcastName, episodeName, facts }} episodeId={episode_id}>
      {children}
    </DownloadFrame>
  )
}

/** A running, queued or paused download: its progress, and the buttons to pause and cancel. */
export function ProgressRow({ download, commands }: Props) {
  const { t } = useTranslation()
  const { state, receivedBytes, totalBytes, bytesPerSecond, episodeName } = download
  const isRunning = state === 'running'
  // Without a value, the browser shows an indeterminate bar.
  const value = totalBytes ? { value: receivedBytes, max: totalBytes } : isRunning ? {} : { value: 0 }
  const secondsLeft = totalBytes && bytesPerSecond ? (totalBytes - receivedBytes) / bytesPerSecond : 0
  const facts = (
    <>
      {(isRunning || receivedBytes > 0) && <progress {...value} aria-label={episodeName} />}
      <span className="muted numbers x-12 wrap spread">
        <span>{receivedBytes > 0 || isRunning ? bytesText(download, t) : t(`download-state-${state}`)}</span>
        {isRunning && bytesPerSecond > 0 && (
          <span>
            {t('per-second', { bytes: formatBytes(bytesPerSecond) })}
            {secondsLeft > 0 && ` · ${formatSpan(Math.ceil(secondsLeft))}`}
          </span>
        )}
        {state === 'paused' && receivedBytes > 0 && <span>{t('download-state-paused')}</span>}
      </span>
    </>
  )
  return (
    <Row download={download} facts={facts}>
      {commands && (
        <>
          {state === 'paused' ? (
            <IconButton icon={Play} label={t('resume-download')} onClick={commands.onResume} />
          ) : (
            <IconButton icon={Pause} label={t('pause-download')} onClick={commands.onPause} />
          )}
          <IconButton icon={X} label={t('cancel-download')} onClick={commands.onCancel} />
        </>
      )}
    </Row>
  )
}

/** The causes that further attempts do not solve, once the last attempt was made. */
const severe: ReadonlySet<Cause> = new Set([
  'gone',
  'refused',
  'not-audio',
  'incomplete',
  'no-room',
  'set-aside',
  'unknown',
])

/** A download that does not continue automatically, or not now: the cause, the circumstances and one remedy. */
export function NeedRow({ download, commands }: Props) {
  const { t } = useTranslation()
  const { cause, status } = causeOf(download)
  const { attempts, errorCode, message, nextAttemptAt, receivedBytes, state } = download
  const circumstances = [
    // "Gone" needs no details.
    cause !== 'gone' && sentence(t(`download-error.${errorCode}`, { defaultValue: message ?? '' })),
    attempts > 0 && t('tried-times', { count: attempts }),
    receivedBytes > 0 && t('bytes-kept', { bytes: bytesText(download, t) }),
    state === 'waiting' && nextAttemptAt && t('next-try', { when: formatRelative(nextAttemptAt) }),
  ].filter(Boolean)
  const isFinal = state === 'failed'
  const isSevere = isFinal && severe.has(cause)
  const Icon = isSevere ? CircleX : TriangleAlert
  const facts = (
    <>
      <span className={`download-cause flex text-s strong gap-6 ${isSevere ? 'is-severe field-failure' : 'caution'}`}>
        <Icon size={16} aria-hidden="true" />
        {status > 0 ? t('cause-with-status', { cause: t(`cause-${cause}`), status }) : t(`cause-${cause}`)}
      </span>
      <span className="muted download-circumstances breaks">{circumstances.join(' ')}</span>
    </>
  )
  return (
    <Row download={download} facts={facts}>
      {commands && <Remedy cause={cause} isFinal={isFinal} podcastId={download.podcastId} commands={commands} />}
    </Row>
  )
}

type RemedyProps = { cause: Cause; isFinal: boolean; podcastId: string; commands: Commands }

/** The next attempt at once, if there is one; a final failure links to something that may help. */
function Remedy({ cause, isFinal, podcastId, commands }: RemedyProps) {
  const { t } = useTranslation()
  if (isFinal && cause === 'gone')
    return (
      <button type="button" className="secondary small" onClick={commands.onCancel}>
        {t('dismiss')}
      </button>
    )
  return (
    <>
      {isFinal && (cause === 'refused' || cause === 'not-audio' || cause === 'incomplete') ? (
        <Link href={routes.episodes(podcastId)} role="button" className="secondary small">
          {t('open-podcast')}
        </Link>
      ) : (
        <button type="button" className="secondary small" onClick={commands.onResume}>
          {t('try-now')}
        </button>
      )}
      <IconButton icon={X} label={t('dismiss')} onClick={commands.onCancel} />
    </>
  )
}

function bytesText({ receivedBytes, totalBytes }: Shown, t: ReturnType<typeof useTranslation>['t']): string {
  if (!totalBytes) return formatBytes(receivedBytes)
  return t('bytes-of', { received: formatBytes(receivedBytes), total: formatBytes(totalBytes) })
}

const causes = [
  'gone',
  'refused',
  'slow',
  'not-audio',
  'incomplete',
  'no-room',
  'interrupted',
  'set-aside',
  'unknown',
] as const
type Cause = (typeof causes)[number]

const byCode: Partial<Record<string, Cause>> = {
  'media-superseded': 'gone',
  'upstream-timeout': 'slow',
  'upstream-too-slow': 'slow',
  'not-media': 'not-audio',
  'media-incomplete': 'incomplete',
  'integrity-mismatch': 'incomplete',
  'disk-full': 'no-room',
  'too-large-upstream': 'no-room',
  'address-not-allowed': 'refused',
  'media-storage-absent': 'interrupted',
  'set-aside': 'set-aside',
}

/** Says why a download does not continue, for people; `status`: the host's answer, 0 if that is not the cause. */
export function causeOf(download: Pick<Download, 'errorCode' | 'status'>): { cause: Cause; status: number } {
  const { errorCode } = download
  const status = errorCode === 'media-unreachable' ? (download.status ?? 0) : 0
  if (status === 404 || status === 410) return { cause: 'gone', status }
  if (status >= 400 && status < 500) return { cause: 'refused', status }
  if (errorCode === 'media-unreachable') return { cause: 'interrupted', status }
  return { cause: byCode[errorCode ?? ''] ?? 'unknown', status }
}

type FrameProps = {
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
export function DownloadFrame({ state, podcastId, podcastName, episodeId, episodeName, facts, children }: FrameProps) {
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
