import { useSignals } from '@preact/signals-react/runtime'
import { ArrowLeft, ArrowRight, Plus, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { BusyButton, IconButton } from '../../components/buttons'
import { Dialog } from '../../components/dialog'
import { Field, FormFailure, TextField } from '../../components/fields'
import { onSubmit, useAction } from '../../components/use-action'
import { describeFailure } from '../../failure'
import { firstRules } from '../../state/smart-rules'
import { LAST_STEP } from '../../state/playlist-editor'
import { EpisodeLine, WizardRules } from './wizard-rules'
import { usePlaylistEditor } from './use-playlist-editor'
import './playlists.css'
import type { Episode } from '../../../shared/api/episode'
import { MAX_PLAYLIST_DESCRIPTION } from '../../../shared/limits'
import { SortableList } from '../../components/sortable-list'
import { useResource } from '../../use-resource'

/**
 * Edits a playlist in three steps: name, episodes or rules, confirmation. Closing keeps the draft for the next time.
 */
export function PlaylistWizard({ onSaved }: { onSaved: () => void }) {
  useSignals()
  const { toasts } = useApp()
  const editor = usePlaylistEditor()
  const { t } = useTranslation()
  const saving = useAction(async () => {
    const notice = t(editor.isNew.value ? 'created-playlist' : 'updated-playlist')
    await editor.submit()
    toasts.done(notice)
    onSaved()
  })
  const progress = useRef<HTMLParagraphElement>(null)
  const isOpen = editor.isOpen.value
  const step = editor.step.value
  const shown = useRef(step)
  // The button that was pressed may be gone or disabled: a field of the step has the focus, or the line that names it.
  useEffect(() => {
    const hasField = document.activeElement instanceof HTMLInputElement
    if (isOpen && shown.current !== step && !hasField) progress.current?.focus()
    shown.current = step
  }, [isOpen, step])
  if (!isOpen) return null
  const rules = editor.rules.value
  const action = t(editor.isNew.value ? 'create-playlist' : 'update-playlist')
  return (
    <Dialog title={action} onClose={editor.close}>
      {() => (
        <form className="wizard" onSubmit={onSubmit(() => (step < LAST_STEP ? editor.next() : saving.run()))}>
          <p className="muted wizard-progress" ref={progress} tabIndex={-1}>
            {t('step-of', {
              step: step + 1,
              count: LAST_STEP + 1,
              name: step === 1 && rules ? t('wizard-step-rules') : t(`wizard-step-${step}`),
            })}
          </p>
          {step === 0 && <NameStep />}
          {step === 1 && (rules ? <WizardRules rules={rules} /> : <WizardEpisodes />)}
          {step === LAST_STEP && (
            <p>
              {rules
                ? t('playlist-summary-rules', { name: editor.name.value.trim() })
                : t('playlist-summary', { name: editor.name.value.trim(), count: editor.items.value.length })}
            </p>
          )}
          <FormFailure reason={saving.failure === null ? null : describeFailure(saving.failure)} />
          <WizardFoot action={action} isBusy={saving.isBusy} />
        </form>
      )}
    </Dialog>
  )
}

function NameStep() {
  useSignals()
  const editor = usePlaylistEditor()
  const { t } = useTranslation()
  return (
    <>
      <TextField
        label={t('name')}
        value={editor.name.value}
        maxLength={200}
        required
        autoComplete="off"
        onChange={editor.rename}
      />
      <Field label={t('playlist-description')}>
        {props => (
          <textarea
            {...props}
            rows={2}
            dir="auto"
            value={editor.about.value}
            maxLength={MAX_PLAYLIST_DESCRIPTION}
            onChange={event => editor.describe(event.target.value)}
          />
        )}
      </Field>
      {editor.isNew.value && <KindChoice />}
    </>
  )
}

/** Whether the episodes are chosen or come by rules; a playlist keeps its kind. */
function KindChoice() {
  useSignals()
  const editor = usePlaylistEditor()
  const { t } = useTranslation()
  const isByRules = editor.rules.value !== null
  return (
    <fieldset className="wizard-kind spaced">
      <legend>{t('playlist-kind')}</legend>
      {([false, true] as const).map(kind => (
        <label className="flex gap-8 pressable flush" key={String(kind)}>
          <input
            type="radio"
            name="playlist-kind"
            checked={isByRules === kind}
            onChange={() => editor.setKind(kind ? firstRules : null)}
          />
          <span>
            {t(kind ? 'playlist-kind-rules' : 'playlist-kind-chosen')}
            <small className="muted block">{t(kind ? 'playlist-kind-rules-help' : 'playlist-kind-chosen-help')}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** The buttons of the wizard. `action`: the label of the last step's button. */
function WizardFoot({ action, isBusy }: { action: string; isBusy: boolean }) {
  useSignals()
  const editor = usePlaylistEditor()
  const { t } = useTranslation()
  const step = editor.step.value
  const isBlocked = !editor.canContinue.value
  return (
    <footer>
      {step > 0 && (
        <button type="button" className="secondary with-icon centred" onClick={editor.back}>
          <ArrowLeft className="flip" size={18} aria-hidden="true" />
          {t('back')}
        </button>
      )}
      {step === LAST_STEP ? (
        <BusyButton type="submit" isBusy={isBusy}>
          {action}
        </BusyButton>
      ) : (
        <button type="submit" className="with-icon centred" disabled={isBlocked}>
          {t('continue')}
          <ArrowRight className="flip" size={18} aria-hidden="true" />
        </button>
      )}
    </footer>
  )
}

const SEARCH_AFTER_MS = 200
const MAX_SHOWN = 8

/** The wizard's second step: a search to add episodes, and the playlist's episodes in their order. */
function WizardEpisodes() {
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
        className="spaced"
        value={words}
        placeholder={t('search-episodes')}
        aria-label={t('search-episodes')}
        onChange={event => setWords(event.target.value)}
        onKeyDown={event => {
          // Enter belongs to the search; the form must not go to its next step.
          if (event.key === 'Enter') event.preventDefault()
        }}
      />
      {words.trim() !== '' && <Found episodes={found.slice(0, MAX_SHOWN)} onAdd={add} />}
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
    <ul className="wizard-found rounded sunken scrolls spaced" aria-label={t('search-results')}>
      {episodes.map(episode => (
        <li className="row gap-12" key={episode.id}>
          <EpisodeLine item={episode} />
          <IconButton
            icon={Plus}
            label={t('add-to-playlist', { name: episode.name })}
            disabled={editor.has(episode.id)}
            onClick={() => onAdd(episode)}
          />
        </li>
      ))}
      {episodes.length === 0 && <li className="row muted">{t('nothing-found')}</li>}
    </ul>
  )
}
