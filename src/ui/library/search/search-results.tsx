import { useTranslation } from 'react-i18next'
import type { Combobox } from '../../components/use-combobox'
import { HitRow } from './hit-row'
import { keyOf, type Group } from './hits'
import type { HitActions } from './use-hit-actions'

type Props = {
  groups: readonly Group[]
  words: string
  combobox: Combobox
  actions: HitActions
  /** Null where there are no more. */
  onMore: (() => void) | null
}

/** All that was found, as one list of options in groups. */
export function SearchResults({ groups, words, combobox: { list, option }, actions, onMore }: Props) {
  const { t } = useTranslation()
  const places = new Map(groups.flatMap(group => group.hits).map((hit, place) => [hit, place]))
  return (
    <>
      <div {...list} className="hits" aria-label={t('search-results')}>
        {groups.map(({ title, count, hits }) => (
          <div key={title} role="group" aria-label={t(title)}>
            <p className="hits-heading numbers" aria-hidden="true">
              {t(title)}
              {count !== '' && <span> · {count}</span>}
            </p>
            {hits.map(hit => (
              <div key={keyOf(hit)} className="hit" {...option(places.get(hit)!)}>
                <HitRow hit={hit} words={words} actions={actions} />
              </div>
            ))}
          </div>
        ))}
      </div>
      {onMore && (
        <button type="button" className="link-button hits-more" onClick={onMore}>
          {t('show-more')}
        </button>
      )}
    </>
  )
}
