import { useSignals } from '@preact/signals-react/runtime'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KnownPodcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { Check } from '../../components/fields'
import { FormDialog } from '../../library/forms/form-dialog'
import { EmptyLibrary } from '../../library/podcasts/empty-library'
import './settings.css'

const kinds = ['without-files', 'with-files'] as const
type Kind = (typeof kinds)[number]

/** Deletes many podcasts at once, with their files or without. */
export function PodcastsTab() {
  useSignals()
  const { library, session } = useApp()
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [asking, setAsking] = useState<Kind | null>(null)
  const deletion = useDeletion()
  const podcasts = library.all.value.toSorted((one, other) => one.name.localeCompare(other.name))
  const selected = podcasts.filter(({ id }) => chosen.has(id))

  async function remove() {
    await deletion.run(selected, asking === 'with-files').finally(() => setChosen(new Set()))
  }
  if (podcasts.length === 0) return <EmptyLibrary text={t('library-empty')} />
  return (
    <div className="settings-podcasts">
      <Choice podcasts={podcasts} chosen={chosen} isDisabled={!session.mayUpload.value} onChange={setChosen} />
      <DeletionProgress done={deletion.done} total={selected.length} />
      <Actions count={selected.length} onChoose={setAsking} />
      {asking && <DeletionDialog kind={asking} podcasts={selected} onDelete={remove} onClose={() => setAsking(null)} />}
    </div>
  )
}

/** An action that deletes podcasts one after the other. `done`: the number so far; null while none is deleted. */
function useDeletion() {
  const { library, toasts } = useApp()
  const { t } = useTranslation()
  const [done, setDone] = useState<number | null>(null)
  async function run(podcasts: readonly KnownPodcast[], withFiles: boolean) {
    setDone(0)
    try {
      for (const [index, { id }] of podcasts.entries()) {
        await library.remove(id, withFiles)
        setDone(index + 1)
      }
      toasts.done(t('podcasts-deleted', { count: podcasts.length }))
    } finally {
      setDone(null)
    }
  }
  return { done, run }
}

type ChoiceProps = {
  podcasts: readonly KnownPodcast[]
  chosen: ReadonlySet<string>
  isDisabled: boolean
  onChange: (chosen: ReadonlySet<string>) => void
}

function Choice({ podcasts, chosen, isDisabled, onChange }: ChoiceProps) {
  const { t } = useTranslation()
  function choose(id: string, isOn: boolean) {
    const next = new Set(chosen)
    if (isOn) next.add(id)
    else next.delete(id)
    onChange(next)
  }
  return (
    <>
      <Check
        isDisabled={isDisabled}
        isOn={podcasts.every(({ id }) => chosen.has(id))}
        onChange={isOn => onChange(new Set(isOn ? podcasts.map(({ id }) => id) : []))}
      >
        {t('select-all', { count: podcasts.length })}
      </Check>
      <ul className="card lined long">
        {podcasts.map(({ id, name, episode_count }) => (
          <li key={id}>
            <Check isDisabled={isDisabled} isOn={chosen.has(id)} onChange={isOn => choose(id, isOn)}>
              <span className="clamp" dir="auto">
                {name}
              </span>
              <span className="muted numbers push nowrap">{t('episodes-count', { count: episode_count })}</span>
            </Check>
          </li>
        ))}
      </ul>
    </>
  )
}

function DeletionProgress({ done, total }: { done: number | null; total: number }) {
  const { t } = useTranslation()
  if (done === null) return null
  return <progress value={done} max={total} aria-label={t('delete-podcast')} />
}

function Actions({ count, onChoose }: { count: number; onChoose: (kind: Kind) => void }) {
  const { t } = useTranslation()
  return (
    <div className="wrap gap-8">
      {kinds.map(kind => (
        <button
          key={kind}
          type="button"
          className={`with-icon ${kind === 'with-files' ? 'is-danger' : 'secondary'}`}
          disabled={count === 0}
          onClick={() => onChoose(kind)}
        >
          <Trash2 size={18} aria-hidden="true" />
          {t(`delete-${kind}`)}
          {count > 0 && <span className="numbers">({count})</span>}
        </button>
      ))}
    </div>
  )
}

type DialogProps = { kind: Kind; podcasts: readonly KnownPodcast[]; onDelete: () => Promise<void>; onClose: () => void }

function DeletionDialog({ kind, podcasts, onDelete, onClose }: DialogProps) {
  const { t } = useTranslation()
  return (
    <FormDialog
      isDanger
      title={t('delete-podcasts-title', { count: podcasts.length })}
      action={t(`delete-${kind}`)}
      onSubmit={onDelete}
      onClose={onClose}
    >
      <p>{t(`delete-${kind}-text`)}</p>
      <p className="muted">{podcasts.map(({ name }) => name).join(', ')}</p>
    </FormDialog>
  )
}
