import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { RemoteItem } from '../../../shared/api/podcast-tags'
import { useApp } from '../../app-context'
import { BusyButton } from '../../components/busy-button'
import { useAction } from '../../components/use-action'
import { routes } from '../../routes'
import { findByGuid, useRemoteItem } from './use-remote-item'

/** The entries about which the directory is asked before anybody wants to add them. */
const MOST_ASKED = 10

/** The podcasts that the makers of this one recommend, with a button to add each. */
export function Podroll({ podcasts, onChosen }: { podcasts: readonly RemoteItem[]; onChosen: () => void }) {
  const { t } = useTranslation()
  if (podcasts.length === 0) return null
  return (
    <section>
      <h3>{t('recommended-podcasts')}</h3>
      <ul className="podroll">
        {podcasts.map((podcast, place) => (
          <li key={`${podcast.feedUrl} ${podcast.feedGuid}`}>
            <Entry podcast={podcast} mayAsk={place < MOST_ASKED} onChosen={onChosen} />
          </li>
        ))}
      </ul>
    </section>
  )
}

type EntryProps = { podcast: RemoteItem; mayAsk: boolean; onChosen: () => void }

function Entry({ podcast, mayAsk, onChosen }: EntryProps) {
  useSignals()
  const { client, library, session, failed } = useApp()
  const { t } = useTranslation()
  const { known, address, name } = useRemoteItem(podcast, mayAsk)
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
