import { ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Person as PersonOf } from '../../../shared/api/podcast-tags'
import { routes } from '../../routes'
import { Portrait } from '../people/portrait'
import './extras.css'

type Props = { persons: readonly PersonOf[]; onChosen?: () => void }

/** The people of a podcast or an episode. A name leads to all that they took part in. */
export function Persons({ persons, onChosen }: Props) {
  const { t } = useTranslation()
  if (persons.length === 0) return null
  return (
    <section className="feed-extras">
      <h4>{t('persons')}</h4>
      <ul className="persons wrap">
        {persons.map(person => (
          <li key={`${person.name} ${person.role} ${person.href}`}>
            <Person person={person} onChosen={onChosen} />
          </li>
        ))}
      </ul>
      <Link className="all-people with-icon" href={routes.people} onClick={onChosen}>
        {t('all-people')}
      </Link>
    </section>
  )
}

function Person({ person, onChosen }: { person: PersonOf; onChosen: (() => void) | undefined }) {
  const { t } = useTranslation()
  const { name, role, group, img, href } = person
  const about = [role, group].filter(Boolean).join(' · ')
  return (
    <span className="person row">
      <Link className="row gap-10" href={routes.person(name)} onClick={onChosen}>
        <Portrait name={name} picture={img} />
        <span>
          <b dir="auto">{name}</b>
          {about && (
            <small className="muted" dir="auto">
              {about}
            </small>
          )}
        </span>
      </Link>
      {href && (
        <a
          className="row"
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={t('web-page-of', { name })}
        >
          <ExternalLink size={16} strokeWidth={1.75} aria-hidden="true" />
        </a>
      )}
    </span>
  )
}
