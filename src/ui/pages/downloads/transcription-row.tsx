import { CircleX, TriangleAlert, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Transcription } from '../../../shared/api/transcription'
import { IconButton } from '../../components/icon-button'
import { causeOf, circumstancesOf, describeTranscription, shareSent } from '../../library/episodes/transcription-state'
import { DownloadFrame } from './download-frame'

type Props = {
  transcription: Transcription
  /** Null for those who may not change it. */
  commands: { onRetry: () => void; onCancel: () => void } | null
}

/** A file on its way to the speech server: its progress, or why it does not go on. */
export function TranscriptionRow({ transcription, commands }: Props) {
  const { t } = useTranslation()
  const { state, podcastId, podcastName, episode_id, episodeName } = transcription
  const isStuck = state === 'failed' || state === 'waiting'
  const Facts = isStuck ? Stuck : Going
  return (
    <DownloadFrame
      {...{ state, podcastId, podcastName, episodeName }}
      episodeId={episode_id}
      facts={<Facts transcription={transcription} />}
    >
      {commands && (
        <>
          {isStuck && (
            <button type="button" className="secondary small" onClick={commands.onRetry}>
              {t('try-now')}
            </button>
          )}
          <IconButton
            icon={X}
            label={t(state === 'failed' ? 'dismiss' : 'cancel-transcription')}
            onClick={commands.onCancel}
          />
        </>
      )}
    </DownloadFrame>
  )
}

function Going({ transcription }: Pick<Props, 'transcription'>) {
  const share = shareSent(transcription)
  return (
    <>
      {transcription.state === 'running' && (
        <progress {...(share !== null && { value: share })} aria-label={transcription.episodeName} />
      )}
      <span className="muted numbers">{describeTranscription(transcription, transcription)}</span>
    </>
  )
}

function Stuck({ transcription }: Pick<Props, 'transcription'>) {
  const isFinal = transcription.state === 'failed'
  const Icon = isFinal ? CircleX : TriangleAlert
  return (
    <>
      <span className={`download-cause label gap-6 ${isFinal ? 'is-severe' : ''}`}>
        <Icon size={16} aria-hidden="true" />
        {causeOf(transcription)}
      </span>
      <span className="muted download-circumstances">{circumstancesOf(transcription).join(' ')}</span>
    </>
  )
}
