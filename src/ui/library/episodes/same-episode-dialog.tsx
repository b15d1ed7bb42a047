import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Episode } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { formatDate } from '../../format'
import { useResource } from '../../use-resource'
import { FormDialog, ShownAtField, useFailureNotice } from '../forms/form-dialog'
import './extras.css'

const SEARCH_AFTER_MS = 200

type Props = { episode: Episode; onClose: () => void }

/** Asks which other episode of the podcast is the same, and merges the two. */
export function SameEpisodeDialog({ episode, onClose }: Props) {
  const { api, changes, toasts } = useApp()
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const { data, error } = useResource(
    (signal, podcast: string, q: string) => api.podcasts.episodes(podcast, q ? { text: q } : {}, null, signal),
    [episode.podcast_id, text.trim()],
    { debounceMs: SEARCH_AFTER_MS },
  )
  useFailureNotice(error, onClose)
  const others = (data?.data ?? []).map(({ podcastEpisode }) => podcastEpisode).filter(({ id }) => id !== episode.id)

  async function join() {
    if (chosen === null) throw new ShownAtField()
    await api.episodes.join(episode.episode_id, chosen)
    toasts.done(t('are-one-episode'))
    changes.added(episode.podcast_id)
  }
  return (
    <FormDialog title={t('same-episode-title')} action={t('make-one-episode')} onSubmit={join} onClose={onClose}>
      <p>{t('same-episode-text', { name: episode.name })}</p>
      <input
        type="search"
        className="spaced"
        value={text}
        aria-label={t('search-in-podcast')}
        placeholder={t('search-in-podcast')}
        maxLength={200}
        onChange={event => setText(event.target.value)}
      />
      <fieldset className="same-episode scrolls spaced" aria-busy={!data}>
        <legend className="visually-hidden">{t('episodes')}</legend>
        {others.map(({ id, episode_id, name, undated, date_of_recording: date }) => (
          <label className="stack level gap-12 wide flush pressable" key={id}>
            <input
              type="radio"
              name="same"
              required
              checked={chosen === episode_id}
              onChange={() => setChosen(episode_id)}
            />
            <span className="breaks" dir="auto">
              {name}
            </span>
            <span className="muted numbers">{undated ? '' : formatDate(date)}</span>
          </label>
        ))}
        {data && others.length === 0 && <p className="muted">{t('nothing-found')}</p>}
      </fieldset>
    </FormDialog>
  )
}
