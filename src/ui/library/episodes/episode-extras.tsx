import { useTranslation } from 'react-i18next'
import type { Episode, EpisodeExtras } from '../../../shared/api/episode'
import { FeedLinks } from './feed-links'
import { FeedWords } from './feed-words'
import { Forms } from './forms'
import { Locations } from './locations'
import { Payments } from './payments'
import { Persons } from './persons'
import { Soundbites } from './soundbites'
import './episode-texts.css'

type Props = { episode: Episode; extras: EpisodeExtras; onPlayAt: (seconds: number) => void }

/** Everything that the feed says of an episode besides its notes, each only where its feed has it. */
export function EpisodeExtrasList({ episode, extras, onPlayAt }: Props) {
  const { t } = useTranslation()
  const { persons, soundbites, locations, value, author } = extras
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
        <FeedWords {...extras} />
        <FeedLinks {...extras} />
        {value && <Payments value={value} />}
      </div>
    </>
  )
}
