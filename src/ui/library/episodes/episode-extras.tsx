import { useTranslation } from 'react-i18next'
import type { Episode, EpisodeExtras } from '../../../shared/api/episode'
import { FeedLinks, Locations, Persons } from './feed-extras'
import { Forms } from './forms'
import { Soundbites } from './soundbites'
import './episode-texts.css'

type Props = { episode: Episode; extras: EpisodeExtras; onPlayAt: (seconds: number) => void }

/** The soundbites, persons, place and links of an episode, each only where its feed has it. */
export function EpisodeExtrasList({ episode, extras, onPlayAt }: Props) {
  const { t } = useTranslation()
  const { persons, soundbites, locations, value, social, author } = extras
  return (
    <>
      {extras.forms && <Forms episode={episode} forms={extras.forms} />}
      <Soundbites episodeId={episode.id} soundbites={soundbites} onPlayAt={onPlayAt} />
      <div className="episode-texts">
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
        <FeedLinks social={social} value={value} />
      </div>
    </>
  )
}
