import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import type { Transcription, TranscriptionList } from '../../../shared/api/transcription'
import { useApp } from '../../app-context'
import { useAdministrationApi } from '../../use-administration'
import { Section } from './downloads-section'
import { TranscriptionRow } from './transcription-row'

type Props = { list: TranscriptionList; act: (action: Promise<unknown>) => void }

/** The speech server's work: under way, waiting and failed. */
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
