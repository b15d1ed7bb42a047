import { UsersRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { PersonListed } from '../../../shared/api/people'
import { useApp } from '../../app-context'
import { PageHeader } from '../../components/page-header'
import { Empty, Failed, Skeleton } from '../../components/states'
import { useAction } from '../../components/use-action'
import { Portrait } from '../../library/people/portrait'
import { routes } from '../../routes'
import { useResource } from '../../use-resource'
import './people-page.css'

const PAGE = 60

/** The people of all feeds by name, found by the beginnings of their names. */
export function Everybody() {
  const { client, failed } = useApp()
  const { t } = useTranslation()
  const [words, setWords] = useState('')
  const find = (signal: AbortSignal | undefined, q: string, after: string) =>
    client.get<PersonListed[]>('/people', { q, after, limit: PAGE }, signal)
  const { data, error, retry, set } = useResource((signal, q: string) => find(signal, q, ''), [words.trim()])
  const more = useAction(async () => {
    const last = data!.at(-1)!
    const next = await find(undefined, words.trim(), last.name)
    set([...data!, ...next])
  }, failed)
  return (
    <div className="people">
      <PageHeader title={t('persons')} />
      <input
        type="search"
        value={words}
        placeholder={t('filter-by-name')}
        aria-label={t('filter-by-name')}
        dir="auto"
        maxLength={200}
        onChange={event => setWords(event.target.value)}
      />
      {error !== null && <Failed error={error} onRetry={retry} />}
      {!data && error === null && <Skeleton kind="row" count={6} />}
      {data?.length === 0 && (
        <Empty icon={UsersRound}>{words.trim() === '' ? t('no-people') : t('nothing-found')}</Empty>
      )}
      <ul className="people-list">
        {data?.map(person => (
          <li key={person.name}>
            <PersonLink person={person} />
          </li>
        ))}
      </ul>
      {data && data.length > 0 && data.length % PAGE === 0 && (
        <button type="button" className="link-button" aria-busy={more.isBusy} onClick={more.run}>
          {t('show-more')}
        </button>
      )}
    </div>
  )
}

function PersonLink({ person: { name, picture, episodes, podcasts } }: { person: PersonListed }) {
  const { t } = useTranslation()
  const counts = [
    podcasts > 0 && t('podcasts-count', { count: podcasts }),
    episodes > 0 && t('episodes-count', { count: episodes }),
  ]
  return (
    <Link href={routes.person(name)}>
      <Portrait name={name} picture={picture} />
      <span>
        <b dir="auto">{name}</b>
        <small className="numbers">{counts.filter(Boolean).join(' · ')}</small>
      </span>
    </Link>
  )
}
