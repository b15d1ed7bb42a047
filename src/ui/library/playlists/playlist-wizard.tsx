import { useSignals } from '@preact/signals-react/runtime'
import { ArrowLeft, ArrowRight, Plus, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Episode } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { describeFailure } from '../../failure'
import { LAST_STEP, type PlaylistItem } from '../../state/playlist-editor'
import { Cover } from '../../components/cover'
import { Dialog } from '../../components/dialog'
import { Field } from '../../components/field'
import { IconButton } from '../../components/icon-button'
import { SortableList } from '../../components/sortable-list'
import './playlist-wizard.css'

const SEARCH_AFTER_MS = 200

/** Three steps: the name, the episodes, sending it off. Closing loses nothing: what was begun is there the next time. */
export function PlaylistWizard({ onSaved }: { onSaved: () => void }) {
  useSignals()
  const { playlistEditor: editor, toasts } = useApp()
  const { t } = useTranslation()
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  if (!editor.isOpen.value) return null
  const step = editor.step.value
  const action = editor.isNew.value ? t('create-playlist') : t('update-playlist')

  async function submit() {
    setBusy(true)
    setFailure(null)
    const notice = editor.isNew.value ? t('created-playlist') : t('updated-playlist')
    try {
      await editor.submit()
      toasts.done(notice)
      onSaved()
    } catch (error) {
      setFailure(describeFailure(error))
    }
    setBusy(false)
  }

  return (
    <Dialog title={action} onClose={editor.close}>
      {() => (
        <form
          className="wizard"
          onSubmit={event => {
            event.preventDefault()
            if (step < LAST_STEP) editor.next()
            else void submit()
          }}
        >
          <p className="muted wizard-progress">
            {t('step-of', { step: step + 1, count: LAST_STEP + 1, name: t(`wizard-step-${step}`) })}
          </p>
          {step === 0 && (
            <Field label={t('name')}>
              {props => (
                <input
                  {...props}
                  value={editor.name.value}
                  maxLength={200}
                  required
                  autoComplete="off"
                  onChange={event => editor.rename(event.target.value)}
                />
              )}
            </Field>
          )}
          {step === 1 && <EpisodesStep />}
          {step === 2 && (
            <p>{t('playlist-summary', { name: editor.name.value.trim(), count: editor.items.value.length })}</p>
          )}
          {failure && (
            <p className="field-failure" role="alert">
              {failure}
            </p>
          )}
          <footer>
            <IconButton
              icon={ArrowLeft}
              label={t('back')}
              disabled={step === 0}
              onClick={editor.back}
              className="wizard-arrow"
            />
            <IconButton
              icon={ArrowRight}
              label={t('forward')}
              disabled={!editor.canContinue.value}
              onClick={editor.next}
              className="wizard-arrow"
            />
            {step === LAST_STEP ? (
              <button type="submit" aria-busy={isBusy} disabled={isBusy}>
                {action}
              </button>
            ) : (
              <button type="submit" disabled={!editor.canContinue.value}>
                {t('continue')}
              </button>
            )}
          </footer>
        </form>
      )}
    </Dialog>
  )
}

/** Search and add above, what is in it below, to be put in order. */
function EpisodesStep() {
  useSignals()
  const { api, library, playlistEditor: editor } = useApp()
  const { t } = useTranslation()
  const [words, setWords] = useState('')
  const [found, setFound] = useState<readonly Episode[]>([])
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    let isStale = false
    const timer = setTimeout(async () => {
      const episodes = words.trim() === '' ? [] : await api.search.episodes(words).catch(() => [])
      if (!isStale) setFound(episodes)
    }, SEARCH_AFTER_MS)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [api, words])
  const podcastOf = (item: PlaylistItem) => library.byId.value.get(item.podcast_id)?.name ?? ''

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
          // Enter searches, it does not send the form on.
          if (event.key === 'Enter') event.preventDefault()
        }}
      />
      {words.trim() !== '' && (
        <ul className="wizard-found" aria-label={t('search-results')}>
          {found.slice(0, 8).map(episode => (
            <li key={episode.id}>
              <Line item={episode} podcastName={podcastOf(episode)} />
              <IconButton
                icon={Plus}
                label={t('add-to-playlist', { name: episode.name })}
                disabled={editor.has(episode.id)}
                onClick={() => {
                  editor.add(episode)
                  // The button has done its work; the next words may follow.
                  field.current?.focus()
                }}
              />
            </li>
          ))}
          {found.length === 0 && <li className="muted">{t('nothing-found')}</li>}
        </ul>
      )}
      <p className="muted">{t('episodes-count', { count: editor.items.value.length })}</p>
      <SortableList items={editor.items.value} idOf={item => item.id} nameOf={item => item.name} onMove={editor.move}>
        {item => (
          <>
            <Line item={item} podcastName={podcastOf(item)} />
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

function Line({ item, podcastName }: { item: PlaylistItem; podcastName: string }) {
  return (
    <>
      <Cover src={item.local_image_url} name={podcastName || item.name} isMissing={item.image_url === ''} size={64} />
      <span className="sortable-text">
        <span>{item.name}</span>
        <span className="muted">{podcastName}</span>
      </span>
    </>
  )
}
