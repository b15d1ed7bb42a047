import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { PodcastExtras } from '../../../shared/api/podcast'
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
          <li key={podcast.feedUrl}>
            <Entry podcast={podcast} onChosen={onChosen} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Entry({ podcast: { feedUrl, title }, onChosen }: { podcast: Recommended; onChosen: () => void }) {
  useSignals()
  const { library, session, failed } = useApp()
  const { t } = useTranslation()
  const addition = useAction(() => library.add(feedUrl), failed)
  const known = library.all.value.find(({ rssfeed }) => rssfeed === feedUrl)
  const name = title ?? known?.name ?? URL.parse(feedUrl)?.hostname ?? feedUrl
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
