import { useTranslation } from 'react-i18next'
import type { DirectoryHit } from '../../api/directory'
import { ForeignCover } from '../covers/foreign-cover'
import { AddInPlace } from './add-in-place'

/** A few podcasts that many people listen to, each to be added in place. */
export function PopularPodcasts({ podcasts }: { podcasts: readonly DirectoryHit[] }) {
  const { t } = useTranslation()
  return (
    <section className="popular" aria-labelledby="popular-heading">
      <h2 id="popular-heading">{t('popular-now')}</h2>
      <ul>
        {podcasts.map(hit => (
          <li key={hit.feedUrl}>
            <ForeignCover src={hit.image} name={hit.title} size={256} />
            <b dir="auto">{hit.title}</b>
            <span className="muted" dir="auto">
              {hit.author}
            </span>
            <AddInPlace hit={hit} />
          </li>
        ))}
      </ul>
    </section>
  )
}
