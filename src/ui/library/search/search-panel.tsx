import { useSignals } from '@preact/signals-react/runtime'
import { Search as SearchIcon, X } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { FilterChip, FilterGroup } from '../../components/filter-chip'
import { IconButton } from '../../components/buttons'
import { type Combobox, useCombobox } from '../../components/use-combobox'
import { describeFailure } from '../../failure'
import { createSearch, scopes, type Search } from '../../state/search'
import { useCommands } from './commands'
import { type Group, groupsOf, type HitActions, keyOf, useHitActions } from './hits'
import { HitRow, matches } from './hit-row'
import './search.css'

type Props = {
  /** Called on the way to a result. */
  onChosen?: () => void
  /** Leads back from the search, before the field. */
  back?: ReactNode
  /** Shown below the recent searches while nothing is typed. */
  start?: ReactNode
  /** Words to begin with. */
  words?: string
  /** Called with the words that are searched for, '' = none. */
  onSearch?: (words: string) => void
}

const ignore = () => undefined

/** The search of everything: a field, scopes, and what was found in the library, the directory and the commands. */
export function SearchPanel({ onChosen = ignore, back, start, words = '', onSearch = ignore }: Props) {
  useSignals()
  const search = useSearchState(words)
  const wanted = search.wanted.value
  useEffect(() => onSearch(wanted), [wanted, onSearch])
  const groups = useGroups(search)
  const hits = groups.flatMap(group => group.hits)
  const actions = useHitActions(search, onChosen)
  const combobox = useCombobox(hits.length, search.found.value, (index, manner) => actions.choose(hits[index]!, manner))
  const { scope, found } = search
  const shown = scope.value === 'transcripts' ? found.value?.said : found.value?.episodes
  const hasMore = ['episodes', 'transcripts'].includes(scope.value) && shown !== undefined && shown.cursor !== null
  return (
    <search className="search-panel">
      <SearchField search={search} field={combobox.field} back={back} />
      <Scopes search={search} />
      <div className="search-body">
        <Notes search={search} count={hits.filter(({ kind }) => kind !== 'all' && kind !== 'recent').length} />
        <SearchResults
          groups={groups}
          words={wanted}
          combobox={combobox}
          actions={actions}
          onMore={hasMore ? () => void search.loadMore() : null}
        />
        {wanted === '' && start}
      </div>
      <Keys />
    </search>
  )
}

function useSearchState(words: string): Search {
  const { api, session } = useApp()
  const [search] = useState(() => {
    const directory = session.config.peek()?.podindexConfigured ? api.directory.podindex : api.directory.itunes
    const made = createSearch({
      api: api.search,
      findInDirectory: session.mayAdd.peek() ? directory : null,
      storage: localStorage,
    })
    made.type(words)
    return made
  })
  useEffect(() => search.end, [search])
  return search
}

/** The groups of options: what was found, or the recent searches while nothing is typed. */
function useGroups({ wanted, scope, found, inDirectory, recent }: Search): Group[] {
  useSignals()
  const commands = useCommands()
  const words = wanted.value
  const fitting = useMemo(
    () => (words === '' ? [] : commands.filter(({ title }) => matches(title, words))),
    [commands, words],
  )
  if (words === '') {
    const hits = recent.value.map(text => ({ kind: 'recent' as const, words: text }))
    return hits.length > 0 ? [{ title: 'recent-searches', count: '', hits }] : []
  }
  return groupsOf({
    scope: scope.value,
    found: found.value,
    inDirectory: inDirectory.value,
    commands: scope.value === 'everything' ? fitting : [],
  })
}

function SearchField({ search, field, back }: { search: Search; field: Combobox['field']; back: ReactNode }) {
  useSignals()
  const { t } = useTranslation()
  const { words, type } = search
  return (
    <div className={`search-field relative row gap-12 ${back ? 'has-back' : ''}`}>
      {back}
      <SearchIcon className="faint" size={20} strokeWidth={1.75} aria-hidden="true" />
      <input
        {...field}
        className="grow plain"
        type="text"
        value={words.value}
        placeholder={t('search-everything')}
        aria-label={t('search')}
        aria-busy={search.isBusy.value}
        enterKeyHint="search"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={200}
        // The panel is opened to type in it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        onChange={event => type(event.target.value)}
      />
      {words.value !== '' && <IconButton icon={X} label={t('clear')} onClick={() => type('')} />}
    </div>
  )
}

function Scopes({ search: { scope, choose, hasDirectory } }: { search: Search }) {
  useSignals()
  const { t } = useTranslation()
  return (
    <FilterGroup label={t('search-in')}>
      {scopes
        .filter(name => name !== 'directory' || hasDirectory)
        .map(name => (
          <FilterChip key={name} label={t(`scope-${name}`)} isOn={scope.value === name} onToggle={() => choose(name)} />
        ))}
    </FilterGroup>
  )
}

/** The reason why there are no results, and, for screen readers, the number of results once the search rests. */
function Notes({ search, count }: { search: Search; count: number }) {
  useSignals()
  const { t } = useTranslation()
  const { wanted, scope, recent, isBusy, error, directoryError, hasDirectory, choose } = search
  const failure = error.value ?? (scope.value === 'directory' ? directoryError.value : null)
  const hasWords = wanted.value !== ''
  // Everything includes the directory, unless it could not be reached.
  const isAsked = scope.value === 'directory' || (scope.value === 'everything' && directoryError.value === null)
  const offersDirectory = hasDirectory && !isAsked
  return (
    <>
      {failure !== null && (
        <p className="search-note faint middle" role="alert">
          {describeFailure(failure)}
        </p>
      )}
      {!hasWords && recent.value.length === 0 && <p className="search-note faint middle">{t('search-hint')}</p>}
      {!hasWords && recent.value.length > 0 && (
        <div className="search-recent row spread">
          <h2 className="caption flush">{t('recent-searches')}</h2>
          <button
            type="button"
            className="link-button plain accent flush"
            aria-label={`${t('clear')}: ${t('recent-searches')}`}
            onClick={search.forgetRecent}
          >
            {t('clear')}
          </button>
        </div>
      )}
      {hasWords && count === 0 && !isBusy.value && failure === null && (
        <p className="search-note faint middle">
          {t('nothing-found')}{' '}
          {offersDirectory && (
            <button type="button" className="link-button plain accent" onClick={() => choose('directory')}>
              {t('search-directory-for', { words: wanted.value })}
            </button>
          )}
        </p>
      )}
      <p className="visually-hidden" role="status">
        {hasWords && !isBusy.value && t('found-count', { count })}
      </p>
    </>
  )
}

/** The keys of the search, for those who have a keyboard. */
function Keys() {
  const { t } = useTranslation()
  const keys = [
    ['↑', '↓', 'search-key-move'],
    ['Enter', 'search-key-open'],
    ['Shift Enter', 'search-key-play'],
    ['Alt Enter', 'search-key-queue'],
  ]
  return (
    <p className="search-keys ruled-above flex flush faint rigid text-xs gap-16">
      {keys.map(line => (
        <span key={line.at(-1)}>
          {line.slice(0, -1).map(key => (
            <kbd className="key" key={key}>
              {key}
            </kbd>
          ))}{' '}
          {t(line.at(-1)!)}
        </span>
      ))}
    </p>
  )
}

type SearchResultsProps = {
  groups: readonly Group[]
  words: string
  combobox: Combobox
  actions: HitActions
  /** Null if there are no more. */
  onMore: (() => void) | null
}

/** All that was found, as one list of options in groups. */
function SearchResults({ groups, words, combobox: { list, option }, actions, onMore }: SearchResultsProps) {
  const { t } = useTranslation()
  const places = new Map(groups.flatMap(group => group.hits).map((hit, place) => [hit, place]))
  return (
    <>
      <div {...list} className="hits inset-8" aria-label={t('search-results')}>
        {groups.map(({ title, count, hits }) => (
          <div key={title} role="group" aria-label={t(title)}>
            {title !== 'recent-searches' && (
              <p className="hits-heading flush caption numbers" aria-hidden="true">
                {t(title)}
                {count !== '' && <span className="regular"> · {count}</span>}
              </p>
            )}
            {hits.map(hit => (
              <div key={keyOf(hit)} className="hit level stack rounded gap-12" {...option(places.get(hit)!)}>
                <HitRow hit={hit} words={words} actions={actions} />
              </div>
            ))}
          </div>
        ))}
      </div>
      {onMore && (
        <button type="button" className="link-button plain accent hits-more reachable" onClick={onMore}>
          {t('show-more')}
        </button>
      )}
    </>
  )
}
