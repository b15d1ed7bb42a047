import { useSignals } from '@preact/signals-react/runtime'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { FormDialog } from '../../components/form-dialog'
import { EmptyLibrary } from '../podcasts/empty-library'
import './podcasts-tab.css'

/** Podcasts, to be deleted one by one or many at once, with their files or without. */
export function PodcastsTab() {
  useSignals()
  const { library, session, toasts } = useApp()
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [asking, setAsking] = useState<'with-files' | 'without-files' | null>(null)
  const [progress, setProgress] = useState<number | null>(null)
  const podcasts = library.all.value.toSorted((one, other) => one.name.localeCompare(other.name))
  const selected = podcasts.filter(({ id }) => chosen.has(id))
  const mayDelete = session.mayUpload.value

  async function remove() {
    setProgress(0)
    try {
      for (const [index, { id }] of selected.entries()) {
        await library.remove(id, asking === 'with-files')
        setProgress(index + 1)
      }
      toasts.done(t('podcasts-deleted', { count: selected.length }))
    } finally {
      setProgress(null)
      setChosen(new Set())
    }
  }
  if (podcasts.length === 0) return <EmptyLibrary />
  return (
    <div className="settings-podcasts">
      <label className="check">
        <input
          type="checkbox"
          disabled={!mayDelete}
          checked={selected.length === podcasts.length}
          onChange={event => setChosen(new Set(event.target.checked ? podcasts.map(({ id }) => id) : []))}
        />
        {t('select-all', { count: podcasts.length })}
      </label>
      <ul>
        {podcasts.map(podcast => (
          <li key={podcast.id}>
            <label className="check">
              <input
                type="checkbox"
                disabled={!mayDelete}
                checked={chosen.has(podcast.id)}
                onChange={event => {
                  const next = new Set(chosen)
                  if (event.target.checked) next.add(podcast.id)
                  else next.delete(podcast.id)
                  setChosen(next)
                }}
              />
              <span>{podcast.name}</span>
              <span className="muted numbers">{t('episodes-count', { count: podcast.episode_count })}</span>
            </label>
          </li>
        ))}
      </ul>
      {progress !== null && <progress value={progress} max={selected.length} aria-label={t('delete-podcast')} />}
      <div className="settings-podcasts-actions">
        {(['without-files', 'with-files'] as const).map(kind => (
          <button
            key={kind}
            type="button"
            className={`with-icon ${kind === 'with-files' ? 'is-danger' : 'secondary'}`}
            disabled={selected.length === 0}
            onClick={() => setAsking(kind)}
          >
            <Trash2 size={18} aria-hidden="true" />
            {t(`delete-${kind}`)}
          </button>
        ))}
      </div>
      {asking && (
        <FormDialog
          isDanger
          title={t('delete-podcasts-title', { count: selected.length })}
          action={t(`delete-${asking}`)}
          onSubmit={remove}
          onClose={() => setAsking(null)}
        >
          <p>{t(`delete-${asking}-text`)}</p>
          <p className="muted">{selected.map(({ name }) => name).join(', ')}</p>
        </FormDialog>
      )}
    </div>
  )
}
