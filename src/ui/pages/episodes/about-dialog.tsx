import type { Podcast, PodcastExtras } from '../../../shared/api/podcast'
import type { RemoteItem } from '../../../shared/api/podcast-tags'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../components/dialog'
import { formatDay } from '../../format'
import { FeedLinks } from '../../library/episodes/feed-links'
import { LicenseName, wordsIn } from '../../library/episodes/feed-words'
import { Locations } from '../../library/episodes/locations'
import { Payments } from '../../library/episodes/payments'
import { Persons } from '../../library/episodes/persons'
import { Podroll } from './podroll'
import { PodcastTags } from './podcast-tags'
import { Trailers } from './trailers'
import { useRemoteItem } from './use-remote-item'
import '../../library/episodes/notes.css'
import './about-dialog.css'

type Props = { podcast: Podcast; extras: PodcastExtras | null; onClose: () => void }

/** Everything that a feed says about its podcast. Each part is there only where the feed has it. */
export function AboutDialog({ podcast, extras, onClose }: Props) {
  return (
    <Dialog title={podcast.name} onClose={onClose}>
      {close => (
        <div className="about-podcast">
          {podcast.summary && (
            // Sanitised by the server.
            <div className="about-text" dir="auto" dangerouslySetInnerHTML={{ __html: podcast.summary }} />
          )}
          <PodcastTags tags={podcast.tags} onChosen={close} />
          <Facts podcast={podcast} extras={extras} />
          {extras && (
            <>
              <Trailers podcast={podcast} trailers={extras.trailers ?? []} onPlayed={close} />
              <FeedLinks {...extras} />
              {extras.value && <Payments value={extras.value} />}
              <Persons persons={extras.persons} onChosen={close} />
              <Podroll podcasts={extras.podroll} onChosen={close} />
            </>
          )}
        </div>
      )}
    </Dialog>
  )
}

function Facts({ podcast, extras }: Pick<Props, 'podcast' | 'extras'>) {
  const { t } = useTranslation()
  const { author, link, language, medium, added_at, last_episode_at, keywords } = podcast
  const facts: [string, ReactNode][] = [
    [t('author'), author && <span dir="auto">{author}</span>],
    [t('web-page'), link && <Outside href={link} text={URL.parse(link)?.hostname ?? link} />],
    [
      t('support'),
      extras?.funding.map(({ url, text }) => <Outside key={url} href={url} text={text || t('support-show')} />),
    ],
    [t('publisher'), extras?.publisher && <Publisher publisher={extras.publisher} />],
    [t('update-frequency'), extras?.updateFrequency?.text && <span dir="auto">{extras.updateFrequency.text}</span>],
    [
      t('location'),
      extras?.locations && (
        <span>
          <Locations locations={extras.locations} />
        </span>
      ),
    ],
    [t('language'), language && languageName(language)],
    [t('medium'), medium && medium !== 'podcast' && t(`medium-${medium}`, { defaultValue: medium })],
    [t('categories'), keywords && <span dir="auto">{keywords.split(',').join(', ')}</span>],
    [t('license'), extras?.license && <LicenseName license={extras.license} />],
    [
      t('publisher-words'),
      extras &&
        wordsIn(extras).map(({ purpose, text }) => (
          <span key={`${purpose} ${text}`} dir="auto">
            {purpose ? `${purpose}: ${text}` : text}
          </span>
        )),
    ],
    [t('newest-episode'), last_episode_at && formatDay(last_episode_at)],
    [t('added'), formatDay(added_at)],
  ]
  return (
    <dl>
      {facts
        .filter(([, value]) => (Array.isArray(value) ? value.length > 0 : Boolean(value)))
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** The publisher of several podcasts, by the name or the address of its feed. */
function Publisher({ publisher }: { publisher: RemoteItem }) {
  const { address, name } = useRemoteItem(publisher, true)
  return address ? <Outside href={address} text={name} /> : <span dir="auto">{name}</span>
}

/** A language in its own words; the code itself where the browser does not know it. */
function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code
  } catch {
    return code
  }
}

const Outside = ({ href, text }: { href: string; text: string }) => (
  <a href={href} target="_blank" rel="noopener noreferrer" dir="auto">
    {text}
  </a>
)
