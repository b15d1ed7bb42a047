import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Episode } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { BusyButton } from '../../components/buttons'
import { Notice } from '../../components/notice'
import { useAction } from '../../components/use-action'
import { formatDate } from '../../format'
import { FormDialog } from '../forms/form-dialog'
import './extras.css'

/** The notices of an episode that was published again, or of which there is a newer recording. */
export function PublishedAgain({ episode }: { episode: Episode }) {
  return (
    <div className="published-again">
      {episode.first_published && <Again episode={episode} first={episode.first_published} />}
      {episode.newer_recording && episode.status && <NewerRecording episode={episode} />}
    </div>
  )
}

function Again({ episode, first }: { episode: Episode; first: string }) {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Notice title={t('published-again')}>
        <p>{t('first-published', { date: formatDate(first) })}</p>
        {session.mayUpload.value && (
          <button type="button" className="secondary above-8 text-s" onClick={() => setAsking(true)}>
            {t('not-the-same-episode')}
          </button>
        )}
      </Notice>
      {isAsking && <SplitDialog episode={episode} onClose={() => setAsking(false)} />}
    </>
  )
}

function SplitDialog({ episode, onClose }: { episode: Episode; onClose: () => void }) {
  const { api, changes, toasts } = useApp()
  const { t } = useTranslation()
  async function split() {
    await api.episodes.split(episode.episode_id)
    toasts.done(t('are-two-episodes'))
    changes.added(episode.podcast_id)
  }
  return (
    <FormDialog title={t('make-two-episodes-title')} action={t('make-two-episodes')} onSubmit={split} onClose={onClose}>
      <p>{t('make-two-episodes-text')}</p>
    </FormDialog>
  )
}

function NewerRecording({ episode }: { episode: Episode }) {
  useSignals()
  const { api, downloads, failed, session } = useApp()
  const { t } = useTranslation()
  const isComing = downloads.byEpisode.value.has(episode.episode_id)
  const fetching = useAction(() => api.episodes.fetchNewer(episode.episode_id), failed)
  return (
    <Notice title={t('newer-recording')}>
      <p>{t(isComing ? 'newer-recording-comes' : 'newer-recording-text')}</p>
      {session.mayUpload.value && !isComing && (
        <BusyButton type="button" className="secondary above-8 text-s" isBusy={fetching.isBusy} onClick={fetching.run}>
          {t('fetch-newer-recording')}
        </BusyButton>
      )}
    </Notice>
  )
}
