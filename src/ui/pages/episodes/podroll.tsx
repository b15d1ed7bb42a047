import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { GuidFeed } from '../../../shared/api/directory'
import type { PodcastExtras } from '../../../shared/api/podcast'
import type { Client } from '../../api/client'
import { useApp } from '../../app-context'
import { BusyButton } from '../../components/busy-button'
import { useAction } from '../../components/use-action'
import { routes } from '../../routes'

type Recommended = PodcastExtras['podroll'][number]

/** The podcasts that the makers of this one recommend, with a button to add each. */
export function Podroll({ podcasts, onChosen }: { podcasts: readonly Recommended[]; onChosen: () => void }) {
  const { t } = useTranslation()
  if (podcasts.length === 0) return null
  return (
    <section>
      <h3>{t('recommended-podcasts')}</h3>
      <ul className="podroll">
        {podcasts.map(podcast => (
          <li key={`${podcast.feedUrl} ${podcast.feedGuid}`}>
            <Entry podcast={podcast} onChosen={onChosen} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Entry({ podcast: { feedUrl, feedGuid, title }, onChosen }: { podcast: Recommended; onChosen: () => void }) {
  useSignals()
  const { client, library, session, failed } = useApp()
  const { t } = useTranslation()
  const addition = useAction(async () => library.add(feedUrl ?? (await feedOf(client, feedGuid!))), failed)
  const known = library.all.value.find(
    ({ rssfeed, guid }) => rssfeed === feedUrl || (feedGuid !== undefined && guid === feedGuid),
  )
  const name = title ?? known?.name ?? (feedUrl ? (URL.parse(feedUrl)?.hostname ?? feedUrl) : feedGuid!)
  return (
    <>
      <span dir="auto">{name}</span>
      {known && (
        <Link href={routes.episodes(known.id)} onClick={onChosen}>
          {t('open')}
        </Link>
      )}
      {!known && session.mayAdd.value && (
        <BusyButton
          type="button"
          className="secondary small"
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
const feedOf = async (client: Client, guid: string) =>
  (await client.get<GuidFeed>(`/discover/guid/${encodeURIComponent(guid)}`)).feedUrl
