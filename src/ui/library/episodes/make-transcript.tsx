import { useSignals } from '@preact/signals-react/runtime'
import { Ellipsis, RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Episode } from '../../../shared/api/episode'
import type { EpisodeTranscription, Transcript } from '../../../shared/api/texts'
import { useApp } from '../../app-context'
import { BusyButton } from '../../components/buttons'
import { Menu } from '../../components/menu'
import { Failed } from '../../components/states'
import { useAction } from '../../components/use-action'
import { useAdministrationApi } from '../../use-administration'
import { useResource } from '../../use-resource'
import { FormDialog } from '../forms/form-dialog'
import { describeTranscription, shareSent } from './transcription-state'

type EpisodeProps = { episode: Pick<Episode, 'id' | 'status'> }

/** `isNamed`: the publisher names one, and the line above says why it is not available. */
type MakeProps = EpisodeProps & { isNamed?: boolean }

/** Actions for an episode without a transcript, or the reason why there are none; for uploaders. */
export function MakeTranscript({ episode, isNamed = false }: MakeProps) {
  const { t } = useTranslation()
  const work = useTranscription(episode)
  if (work.error !== null) return <Failed error={work.error} onRetry={() => void work.retry()} />
  if (!work.data) return <p role="status" aria-busy="true" aria-label={t('loading')} />
  const { obstacle, current } = work.data
  if (current) return <Current work={work} current={current} />
  return (
    <div className="make-transcript pressable gap-8 x-12 below-8 wrap row">
      <p className="muted flush breaks">
        {!isNamed && t('transcript-none')} {obstacle && <Obstacle obstacle={obstacle} />}
      </p>
      {obstacle === null && (
        <BusyButton
          className="secondary small higher-on-phone"
          isBusy={work.request.isBusy}
          onClick={() => work.request.run()}
        >
          {t('transcribe')}
        </BusyButton>
      )}
    </div>
  )
}

/** The model that made a transcript, with actions to make it again or delete it for uploaders. */
export function MadeBy({ episode, transcript }: EpisodeProps & { transcript: Pick<Transcript, 'id' | 'model'> }) {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  const { model } = transcript
  return (
    <div className="make-transcript pressable gap-8 x-12 below-8 wrap row">
      <p className="muted flush breaks">{model ? t('transcript-made-by', { model }) : t('transcript-made')}</p>
      {session.mayUpload.value && <Remake episode={episode} transcriptId={transcript.id} />}
    </div>
  )
}

function Remake({ episode, transcriptId }: EpisodeProps & { transcriptId: string }) {
  const { changes, toasts, transcriptions } = useApp()
  const { t } = useTranslation()
  const api = useAdministrationApi()
  const work = useTranscription(episode)
  const [isAsking, setAsking] = useState(false)
  if (work.data?.current) return <Current work={work} current={work.data.current} />

  async function remove() {
    await api.transcriptions.removeTranscript(episode.id, transcriptId)
    // It is no longer unfinished.
    if (work.live) transcriptions.progressed({ ...work.live, state: 'ended' })
    changes.edited(episode.id, shown => ({ ...shown, has_transcript: false }))
    toasts.done(t('transcript-deleted'))
  }
  const again = { icon: RotateCw, label: t('transcribe-again'), onSelect: () => work.request.run() }
  const deletion = { icon: Trash2, label: t('delete-transcript'), isDanger: true, onSelect: () => setAsking(true) }
  return (
    <>
      <Menu
        icon={Ellipsis}
        label={t('transcript')}
        items={[...(work.data?.obstacle === null ? [again] : []), deletion]}
      />
      {isAsking && (
        <FormDialog
          title={t('delete-transcript')}
          action={t('delete-transcript')}
          isDanger
          onSubmit={remove}
          onClose={() => setAsking(false)}
        >
          <p>{t('delete-transcript-question')}</p>
        </FormDialog>
      )}
    </>
  )
}

type Work = ReturnType<typeof useTranscription>

/** The state of a transcription, loaded again with every event about it. */
function useTranscription({ id, status }: EpisodeProps['episode']) {
  useSignals()
  const { transcriptions, failed } = useApp()
  const api = useAdministrationApi()
  const live = transcriptions.byEpisode.value.get(id) ?? null
  const resource = useResource(
    (_, episodeId: string, _status, _gaps, _state) => api.transcriptions.of(episodeId),
    [id, status, transcriptions.gaps.value, live && `${live.id}${live.state}`],
  )
  const after = async (act: Promise<unknown>) => {
    await act
    await resource.retry()
  }
  return {
    ...resource,
    live,
    request: useAction(() => after(api.transcriptions.request(id)), failed),
    retryNow: useAction((work: string) => after(api.transcriptions.retry(work)), failed),
    cancel: useAction((work: string) => after(api.transcriptions.cancel(work)), failed),
  }
}

type CurrentProps = { work: Work; current: NonNullable<EpisodeTranscription['current']> }

/** An unfinished transcription: its state, and the actions on it. */
function Current({ work, current }: CurrentProps) {
  const { t } = useTranslation()
  const live = work.live?.id === current.id && work.live.state === current.state ? work.live : current
  const isStuck = current.state === 'failed' || current.state === 'waiting'
  const text = describeTranscription(current, live)
  const share = shareSent(live)
  return (
    <div className="make-transcript pressable gap-8 x-12 below-8 wrap row">
      {/* What changes every second is not for those who hear it. */}
      <p className="muted flush breaks" role={share === null ? 'status' : undefined}>
        {text}
      </p>
      {current.state === 'running' && <progress aria-label={text} {...(share !== null && { value: share })} />}
      {isStuck && (
        <BusyButton
          className="secondary small higher-on-phone"
          isBusy={work.retryNow.isBusy}
          onClick={() => work.retryNow.run(current.id)}
        >
          {t('try-now')}
        </BusyButton>
      )}
      <BusyButton
        className="secondary small higher-on-phone"
        isBusy={work.cancel.isBusy}
        onClick={() => work.cancel.run(current.id)}
      >
        {t(current.state === 'failed' ? 'dismiss' : 'cancel')}
      </BusyButton>
    </div>
  )
}

function Obstacle({ obstacle }: { obstacle: NonNullable<EpisodeTranscription['obstacle']> }) {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  if (obstacle === 'published') return null
  if (obstacle === 'not-downloaded') return t('transcript-needs-file')
  return t(session.isAdmin.value ? 'transcript-needs-server' : 'transcript-not-made-here')
}
