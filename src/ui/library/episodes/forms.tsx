import { useTranslation } from 'react-i18next'
import { useSignals } from '@preact/signals-react/runtime'
import { CircleCheck, Download, Play } from 'lucide-react'
import type { Episode } from '../../../shared/api/episode'
import type { EpisodeForm } from '../../../shared/api/playables'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/icon-button'
import { factsOfForm, nameOfForm } from './form-words'
import './episode-texts.css'

type Props = { episode: Episode; forms: readonly EpisodeForm[] }

/** Other forms of an episode. A click plays one; who may download gets it as the file of the episode. */
export function Forms({ episode, forms }: Props) {
  const { t } = useTranslation()
  return (
    <section className="episode-texts" aria-label={t('forms')}>
      <h4>{t('forms')}</h4>
      <ul className="chapters">
        {forms.map(form => (
          <li key={form.id}>
            <FormRow episode={episode} form={form} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function FormRow({ episode, form }: { episode: Episode; form: EpisodeForm }) {
  useSignals()
  const { api, player, library, session, failed } = useApp()
  const { t } = useTranslation()
  const name = nameOfForm(form)
  function play() {
    const podcastName = library.byId.value.get(episode.podcast_id)?.name ?? ''
    void player.playForm({ podcastEpisode: episode, podcastHistoryItem: null }, podcastName, form).catch(failed)
  }
  return (
    <>
      <button type="button" className="moment" aria-label={t('play-episode', { name })} onClick={play}>
        <Play size={14} aria-hidden="true" fill="currentColor" />
        <span dir="auto">{name}</span>
        <span className="muted numbers">{factsOfForm(form)}</span>
      </button>
      {form.isFile && <CircleCheck size={14} role="img" aria-label={t('on-the-server')} className="is-on-server" />}
      {session.mayUpload.value && !form.isFile && (
        <IconButton
          icon={Download}
          label={t('download-form', { name })}
          onClick={() => void api.episodes.download(episode.episode_id, form.id).catch(failed)}
        />
      )}
    </>
  )
}
