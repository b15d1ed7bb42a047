import { useSignals } from '@preact/signals-react/runtime'
import { CircleX, TriangleAlert, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Transcription, TranscriptionList } from '../../../shared/api/texts'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/buttons'
import { causeOf, circumstancesOf, describeTranscription, shareSent } from '../../library/episodes/transcription-state'
import { useAdministrationApi } from '../../use-administration'
import { DownloadFrame, Section } from './download-row'

type Props = { list: TranscriptionList; act: (action: Promise<unknown>) => void }

/** The speech server's work: running, waiting and failed. */
export function Transcriptions({ list, act }: Props) {
  const { session } = useApp()
  const { t } = useTranslation()
  const { transcriptions: api } = useAdministrationApi()
  const items = useShown(list)
  const { queued, running, waiting, failed } = list.counts
  const commandsOf = ({ id }: Transcription) =>
    session.mayUpload.value ? { onRetry: () => act(api.retry(id)), onCancel: () => act(api.cancel(id)) } : null
  return (
    <Section
      title={t('transcripts')}
      count={queued + running + waiting + failed}
      action={<span className="muted">{list.model}</span>}
    >
      {items.map(item => (
        <TranscriptionRow key={item.id} transcription={item} commands={commandsOf(item)} />
      ))}
    </Section>
  )
}

/** Joins the list with the live progress. */
function useShown({ items }: TranscriptionList): Transcription[] {
  useSignals()
  const { transcriptions } = useApp()
  return items.map(item => {
    const live = transcriptions.byEpisode.value.get(item.episodeId)
    return live?.id === item.id && live.state === item.state
      ? { ...item, sentBytes: live.sentBytes, totalBytes: live.totalBytes }
      : item
  })
}

type TranscriptionRowProps = {
  transcription: Transcription
  /** Null for those who may not change it. */
  commands: { onRetry: () => void; onCancel: () => void } | null
}

/** A file for the speech server: its progress, or why it does not continue. */
function TranscriptionRow({ transcription, commands }: TranscriptionRowProps) {
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

function Going({ transcription }: Pick<TranscriptionRowProps, 'transcription'>) {
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

function Stuck({ transcription }: Pick<TranscriptionRowProps, 'transcription'>) {
  const isFinal = transcription.state === 'failed'
  const Icon = isFinal ? CircleX : TriangleAlert
  return (
    <>
      <span className={`download-cause flex text-s strong gap-6 ${isFinal ? 'is-severe field-failure' : 'caution'}`}>
        <Icon size={16} aria-hidden="true" />
        {causeOf(transcription)}
      </span>
      <span className="muted download-circumstances breaks">{circumstancesOf(transcription).join(' ')}</span>
    </>
  )
}
