import { useTranslation } from 'react-i18next'
import type { Episode, EpisodeExtras } from '../../../shared/api/episode'
import { FeedLinks, FeedWords, Locations, Payments, Persons } from './feed-extras'
import './episode-texts.css'
import { useSignals } from '@preact/signals-react/runtime'
import { Download, Play } from 'lucide-react'
import type { EpisodeForm } from '../../../shared/api/playables'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/buttons'
import { DownloadedMark } from './download-button'
import { factsOfForm, nameOfForm } from './form-words'
import { useEffect, useRef } from 'react'
import { effect } from '@preact/signals-core'
import { formatDuration } from '../../../shared/duration'

type Props = { episode: Episode; extras: EpisodeExtras; onPlayAt: (seconds: number) => void }

/** Everything that the feed says about an episode besides its notes, each shown only if the feed has it. */
export function EpisodeExtrasList({ episode, extras, onPlayAt }: Props) {
  const { t } = useTranslation()
  const { persons, soundbites, locations, value, author } = extras
  return (
    <>
      {extras.forms && <Forms episode={episode} forms={extras.forms} />}
      <Soundbites episodeId={episode.id} soundbites={soundbites} onPlayAt={onPlayAt} />
      <div className="episode-texts spaced">
        {author && (
          <p className="muted">
            {t('author')}: <span dir="auto">{author}</span>
          </p>
        )}
        <Persons persons={persons} />
        {locations && (
          <p className="muted">
            {t('location')}: <Locations locations={locations} />
          </p>
        )}
        <FeedWords {...extras} />
        <FeedLinks {...extras} />
        {value && <Payments value={value} />}
      </div>
    </>
  )
}

type FormsProps = { episode: Episode; forms: readonly EpisodeForm[] }

/** Other forms of an episode. A click plays one; those who may download can make it the episode's file. */
function Forms({ episode, forms }: FormsProps) {
  const { t } = useTranslation()
  return (
    <section className="episode-texts spaced" aria-label={t('forms')}>
      <h4>{t('forms')}</h4>
      <ul className="chapters">
        {forms.map(form => (
          <li className="row gap-4" key={form.id}>
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
      <button type="button" className="moment shrinks entry" aria-label={t('play-episode', { name })} onClick={play}>
        <Play size={14} aria-hidden="true" fill="currentColor" />
        <span dir="auto">{name}</span>
        <span className="muted numbers">{factsOfForm(form)}</span>
      </button>
      {form.isFile && <DownloadedMark size={14} />}
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

type SoundbitesProps = {
  episodeId: string
  soundbites: EpisodeExtras['soundbites']
  onPlayAt: (seconds: number) => void
}

/** Short parts that the makers chose. A click plays only that part. */
export function Soundbites({ episodeId, soundbites, onPlayAt }: SoundbitesProps) {
  const { t } = useTranslation()
  const playUntil = usePlayUntil(episodeId)
  if (soundbites.length === 0) return null
  return (
    <section className="episode-texts spaced" aria-label={t('soundbites')}>
      <h4>{t('soundbites')}</h4>
      <ul className="chapters">
        {soundbites.map(({ startTime, duration, title = '' }) => (
          <li className="row gap-4" key={`${startTime} ${duration}`}>
            <button
              type="button"
              className="moment shrinks entry"
              aria-label={t('play-from', { time: formatDuration(startTime), title })}
              onClick={() => {
                onPlayAt(startTime)
                playUntil(startTime, startTime + duration)
              }}
            >
              <Play size={14} aria-hidden="true" fill="currentColor" />
              <span dir="auto">{title || t('soundbite-at', { time: formatDuration(startTime) })}</span>
              <time className="numbers">{formatDuration(duration)}</time>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Pauses the player at a second, unless the listener has sought elsewhere in the meantime. */
function usePlayUntil(episodeId: string) {
  const { player } = useApp()
  const end = useRef<() => void>(undefined)
  useEffect(() => () => end.current?.(), [])
  return (from: number, until: number) => {
    end.current?.()
    let hasBegun = false
    end.current = effect(() => {
      const isHere = player.current.value?.episode.id === episodeId
      const position = player.position.value
      const isInside = isHere && position >= from - 1 && position < until
      if (isInside && player.isPlaying.value) hasBegun = true
      if (!hasBegun || isInside) return
      // Playback ran past the end automatically. After a seek, the position would be further away.
      if (isHere && position >= until && position < until + 2) player.pause()
      queueMicrotask(() => end.current?.())
    })
  }
}
