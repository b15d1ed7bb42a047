import type { KnownPodcast, Podcast, PodcastExtras } from '../../../shared/api/podcast'
import type { RemoteItem } from '../../../shared/api/podcast-tags'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../components/dialog'
import { formatDay, languageName } from '../../format-facts'
import { FeedLinks, LicenseName, Locations, Payments, Persons, wordsIn } from '../../library/episodes/feed-extras'
import '../../library/episodes/episode-texts.css'
import './dialogs.css'
import { Link } from 'wouter'
import { TagDot } from '../../library/covers'
import { routes } from '../../routes'
import type { Trailer } from '../../../shared/api/playables'
import { useApp } from '../../app-context'
import { PlayButton } from '../../library/episodes/play-button'
import { useSignals } from '@preact/signals-react/runtime'
import { BusyButton } from '../../components/buttons'
import { useAction } from '../../components/use-action'
import { callsOf } from '../../api/calls'
import type { Client } from '../../api/client'
import { useResource } from '../../use-resource'

type Props = { podcast: KnownPodcast; extras: PodcastExtras | null; onClose: () => void }

/** Everything that a feed says about its podcast. Each part is there only where the feed has it. */
export function AboutDialog({ podcast, extras, onClose }: Props) {
  return (
    <Dialog title={podcast.name} onClose={onClose}>
      {close => (
        <div className="about-podcast gap-20 breaks stack">
          {podcast.summary && (
            // Sanitised by the server.
            <div
              className="about-text prose shrinks breaks"
              dir="auto"
              dangerouslySetInnerHTML={{ __html: podcast.summary }}
            />
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
    [t('language'), language && languageName(language, language)],
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
    <dl className="lined">
      {facts
        .filter(([, value]) => (Array.isArray(value) ? value.length > 0 : Boolean(value)))
        .map(([name, value]) => (
          <div className="stack x-16" key={name}>
            <dt className="muted">{name}</dt>
            <dd className="wrap gap-2 x-16">{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** The publisher of several podcasts, by the name or the address of its feed. */
function Publisher({ publisher }: { publisher: RemoteItem }) {
  const { address, name } = useRemoteItem(publisher, useWholeLibrary(), true)
  return address ? <Outside href={address} text={name} /> : <span dir="auto">{name}</span>
}

const Outside = ({ href, text }: { href: string; text: string }) => (
  <a href={href} target="_blank" rel="noopener noreferrer" dir="auto">
    {text}
  </a>
)

/** The podcast's tags, each a link to all podcasts with it. */
function PodcastTags({ tags, onChosen }: Pick<KnownPodcast, 'tags'> & { onChosen: () => void }) {
  if (tags.length === 0) return null
  return (
    <p className="gap-4 x-16 wrap">
      {tags.map(tag => (
        <Link
          key={tag.id}
          className="muted with-icon gap-6 bare"
          href={`${routes.podcasts}?tag=${tag.id}`}
          dir="auto"
          onClick={onChosen}
        >
          <TagDot color={tag.color} /> {tag.name}
        </Link>
      ))}
    </p>
  )
}

type TrailersProps = { podcast: KnownPodcast; trailers: readonly Trailer[]; onPlayed: () => void }

/** The trailers of a podcast. They are episodes, too, in the list with the others. */
function Trailers({ podcast, trailers, onPlayed }: TrailersProps) {
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
      <ul className="spaced">
        {playable.map(({ title, season, pubdate, episode }) => (
          <li className="reachable row gap-12 breaks" key={episode}>
            <PlayButton
              name={title || t('trailer')}
              isPlaying={false}
              onClick={() => void play(episode).catch(failed)}
            />
            <span>
              <b className="block" dir="auto">
                {title || t('trailer')}
              </b>
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

/** The entries about which the directory is asked before anybody wants to add them. */
const MAX_ASKED = 10

/** The podcasts that the makers of this one recommend, with a button to add each. */
export function Podroll({ podcasts, onChosen }: { podcasts: readonly RemoteItem[]; onChosen: () => void }) {
  const whole = useWholeLibrary()
  const { t } = useTranslation()
  if (podcasts.length === 0) return null
  return (
    <section>
      <h3>{t('recommended-podcasts')}</h3>
      <ul className="podroll">
        {podcasts.map((podcast, place) => (
          <li className="row gap-12 spread pressable" key={`${podcast.feedUrl} ${podcast.feedGuid}`}>
            <Entry podcast={podcast} whole={whole} mayAsk={place < MAX_ASKED} onChosen={onChosen} />
          </li>
        ))}
      </ul>
    </section>
  )
}

type EntryProps = { podcast: RemoteItem; whole: Whole; mayAsk: boolean; onChosen: () => void }

function Entry({ podcast, whole, mayAsk, onChosen }: EntryProps) {
  useSignals()
  const { client, library, session, failed } = useApp()
  const { t } = useTranslation()
  const { known, address, name } = useRemoteItem(podcast, whole, mayAsk)
  const addition = useAction(
    async () => library.add(address ?? (await findByGuid(client, podcast.feedGuid!)).feedUrl),
    failed,
  )
  return (
    <>
      <span dir="auto">{name}</span>
      {known && (
        <Link href={routes.episodes(known.id)} onClick={onChosen}>
          {t('open')}
        </Link>
      )}
      {!known && whole && session.mayAdd.value && (
        <BusyButton
          type="button"
          className="secondary small rigid"
          isBusy={addition.isBusy}
          aria-label={t('add-named', { name })}
          onClick={addition.run}
        >
          {t('add')}
        </BusyButton>
      )}
    </>
  )
}

/** Finds a feed by its guid, in the Podcast Index. */
const findByGuid = (client: Client, guid: string, signal?: AbortSignal) =>
  callsOf(client).get('/discover/guid/:guid')(guid, signal)

type Whole = readonly Podcast[] | null

/** Returns the library with the addresses and guids of feeds, which the shared list lacks; null until loaded. */
function useWholeLibrary(): Whole {
  const { data, error } = useResource(useApp().api.podcasts.list, [])
  return data ?? (error === null ? null : [])
}

/**
 * Returns the podcast of the library that another feed names, and the best name and address that are known. `mayAsk`: the
 * directory is asked about one that is named by its guid alone.
 */
function useRemoteItem({ feedUrl, feedGuid, title }: RemoteItem, whole: Whole, mayAsk: boolean) {
  useSignals()
  const { client, library, session } = useApp()
  // Added a moment ago, or there before.
  const known = [...library.all.value, ...(whole ?? [])].find(
    ({ rssfeed, guid }: KnownPodcast) =>
      (feedUrl !== undefined && rssfeed === feedUrl) || (feedGuid !== undefined && guid === feedGuid),
  )
  const isUnknown = whole !== null && !known && !feedUrl && mayAsk && session.config.value?.podindexConfigured === true
  const { data } = useResource(
    async (signal, guid: string | undefined) => (guid ? findByGuid(client, guid, signal) : null),
    [isUnknown ? feedGuid : undefined],
  )
  const address = feedUrl ?? data?.feedUrl
  const host = address && URL.parse(address)?.hostname
  return { known, address, name: title ?? known?.name ?? data?.title ?? host ?? feedGuid ?? '' }
}
