import { useSignals } from '@preact/signals-react/runtime'
import { Plus, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Episode } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/icon-button'
import { SortableList } from '../../components/sortable-list'
import { useResource } from '../../use-resource'
import { EpisodeLine } from './episode-line'
import { usePlaylistEditor } from './use-playlist-editor'

const SEARCH_AFTER_MS = 200
const MOST_SHOWN = 8

/** The wizard's second step: a search to add episodes, and the playlist's episodes in their order. */
export function WizardEpisodes() {
  useSignals()
  const { api } = useApp()
  const editor = usePlaylistEditor()
  const { t } = useTranslation()
  const [words, setWords] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const search = useResource(
    async (_, wanted: string) => (wanted === '' ? [] : api.search.episodes(wanted)),
    [words.trim()],
    { debounceMs: SEARCH_AFTER_MS },
  )
  const found = search.error === null ? (search.data ?? []) : []
  function add(episode: Episode) {
    editor.add(episode)
    // The button is disabled now and would lose the focus.
    field.current?.focus()
  }
  return (
    <>
      <input
        ref={field}
        type="search"
        value={words}
        placeholder={t('search-episodes')}
        aria-label={t('search-episodes')}
        onChange={event => setWords(event.target.value)}
        onKeyDown={event => {
          // Enter belongs to the search; the form must not go to its next step.
          if (event.key === 'Enter') event.preventDefault()
        }}
      />
      {words.trim() !== '' && <Found episodes={found.slice(0, MOST_SHOWN)} onAdd={add} />}
      <p className="muted">{t('episodes-count', { count: editor.items.value.length })}</p>
      <SortableList items={editor.items.value} idOf={item => item.id} nameOf={item => item.name} onMove={editor.move}>
        {item => (
          <>
            <EpisodeLine item={item} />
            <IconButton
              icon={X}
              label={t('remove-from-playlist', { name: item.name })}
              onClick={() => editor.remove(item.id)}
            />
          </>
        )}
      </SortableList>
    </>
  )
}

function Found({ episodes, onAdd }: { episodes: readonly Episode[]; onAdd: (episode: Episode) => void }) {
  useSignals()
  const editor = usePlaylistEditor()
  const { t } = useTranslation()
  return (
    <ul className="wizard-found" aria-label={t('search-results')}>
      {episodes.map(episode => (
        <li key={episode.id}>
          <EpisodeLine item={episode} />
          <IconButton
            icon={Plus}
            label={t('add-to-playlist', { name: episode.name })}
            disabled={editor.has(episode.id)}
            onClick={() => onAdd(episode)}
          />
        </li>
      ))}
      {episodes.length === 0 && <li className="muted">{t('nothing-found')}</li>}
    </ul>
  )
}
