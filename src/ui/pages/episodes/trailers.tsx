import { useTranslation } from 'react-i18next'
import type { Podcast } from '../../../shared/api/podcast'
import type { Trailer } from '../../../shared/api/playables'
import { useApp } from '../../app-context'
import { formatDay } from '../../format'
import { PlayButton } from '../../library/episodes/play-button'
import './trailers.css'

type Props = { podcast: Podcast; trailers: readonly Trailer[]; onPlayed: () => void }

/** The trailers of a podcast. They are episodes, too, in the list with the others. */
export function Trailers({ podcast, trailers, onPlayed }: Props) {
  const { api, player, failed } = useApp()
  const { t } = useTranslation()
  async function play(eid: string) {
    await player.play(await api.episodes.find(eid), podcast.name)
    onPlayed()
  }
  const playable = trailers.flatMap(({ episode, ...trailer }) => (episode ? [{ ...trailer, episode }] : []))
  if (playable.length === 0) return null
  return (
    <section aria-label={t('trailer')}>
      <ul className="trailers">
        {playable.map(({ title, season, pubdate, episode }) => (
          <li key={episode}>
            <PlayButton
              name={title || t('trailer')}
              isPlaying={false}
              onClick={() => void play(episode).catch(failed)}
            />
            <span>
              <b dir="auto">{title || t('trailer')}</b>
              <small className="muted">
                {[t('trailer'), season !== undefined && t('season', { number: season }), pubdate && formatDay(pubdate)]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
