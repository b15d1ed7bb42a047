import { useSignals } from '@preact/signals-react/runtime'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KeptQueue } from '../../shared/api/queue'
import { queuesApi } from '../api/queues'
import { useApp } from '../app-context'
import { Dialog } from '../components/dialog'
import { TextField } from '../components/fields'
import { IconButton } from '../components/buttons'
import { FormDialog } from '../library/forms/form-dialog'
import { useResource } from '../use-resource'
import { useQueueActions, useQueues } from './queue-actions'
import './queue.css'
import { useLocation } from 'wouter'
import { routes } from '../routes'

/** All queues: one is in use, the others can be used, renamed and deleted. */
export function QueuesDialog({ onClose }: { onClose: () => void }) {
  useSignals()
  const { client, queue } = useApp()
  const { t } = useTranslation()
  const { use, removeKept } = useQueueActions()
  const others = queue.others.value
  const { data: counted } = useResource((_signal, _others: typeof others) => queuesApi(client).counted(), [others])
  const countOf = (id: string) => counted?.find(one => one.id === id)?.episodes ?? null
  const [naming, setNaming] = useState<{ named?: Named } | null>(null)
  const rename = (named: Named) => setNaming({ named })
  const titleOf = (name: string | null) => name ?? t('main-queue')
  return (
    <Dialog title={t('queues')} onClose={onClose}>
      {() => (
        <>
          <p className="muted">{t('queues-text')}</p>
          <ul className="queues ruled spaced">
            <li className="row gap-4">
              <QueueTitle name={titleOf(queue.name.value)} count={queue.items.value.length} />
              <span className="muted">{t('queue-in-use')}</span>
              <IconButton
                icon={Pencil}
                label={t('rename-queue', { name: titleOf(queue.name.value) })}
                onClick={() => rename({ name: queue.name.value, kept: null })}
              />
            </li>
            {others.map(other => (
              <li className="row gap-4" key={other.id}>
                <QueueTitle name={titleOf(other.name)} count={countOf(other.id)} />
                <button
                  type="button"
                  className="secondary small rigid"
                  aria-label={t('use-queue-named', { name: titleOf(other.name) })}
                  onClick={() => use(other)}
                >
                  {t('use-queue')}
                </button>
                <IconButton
                  icon={Pencil}
                  label={t('rename-queue', { name: titleOf(other.name) })}
                  onClick={() => rename({ name: other.name, kept: other })}
                />
                <IconButton
                  icon={Trash2}
                  label={t('delete-queue', { name: titleOf(other.name) })}
                  onClick={() => removeKept(other)}
                />
              </li>
            ))}
          </ul>
          <button type="button" className="secondary with-icon spaced" onClick={() => setNaming({})}>
            <Plus size={18} aria-hidden="true" />
            {t('new-queue')}
          </button>
          {naming && <QueueNameDialog {...naming} onClose={() => setNaming(null)} />}
        </>
      )}
    </Dialog>
  )
}

function QueueTitle({ name, count }: { name: string; count: number | null }) {
  const { t } = useTranslation()
  return (
    <span className="stack grow">
      <b className="breaks" dir="auto">
        {name}
      </b>
      <span className="muted numbers">{count !== null && t('episodes-count', { count })}</span>
    </span>
  )
}

/** The queue to name: the one in use or a saved one. If absent, a new queue begins. */
export type Named = { name: string | null; kept: KeptQueue | null }

type Props = { named?: Named; onClose: () => void }

/** Names a queue: a new one, which replaces the current one, or an existing one. */
export function QueueNameDialog({ named, onClose }: Props) {
  const queues = useQueues()
  const { t } = useTranslation()
  const { begin } = useQueueActions()
  const [name, setName] = useState(named?.name ?? '')
  async function save() {
    const wanted = name.trim()
    if (!named) await begin(wanted)
    else if (named.kept) await queues.rename(named.kept.id, wanted)
    else await queues.setName(wanted)
  }
  return (
    <FormDialog
      title={t(named ? 'name-queue' : 'new-queue')}
      action={t(named ? 'save' : 'begin-queue')}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label={t('name')}
        {...(!named && { help: t('new-queue-help') })}
        value={name}
        onChange={setName}
        maxLength={100}
        required
      />
    </FormDialog>
  )
}

/** Copies the episodes of the queue into a playlist, which keeps them after they are played. */
export function SaveQueueDialog({ onClose }: { onClose: () => void }) {
  const { api, upcoming, toasts } = useApp()
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const [name, setName] = useState('')
  async function save() {
    const items = upcoming.peek().map(({ podcastEpisode }) => ({ episode: podcastEpisode.id }))
    const { id } = await api.playlists.create({ name: name.trim(), items })
    toasts.done(t('playlist-saved'), { label: t('open'), run: () => navigate(routes.playlist(id)) })
  }
  return (
    <FormDialog title={t('save-as-playlist')} action={t('save')} onSubmit={save} onClose={onClose}>
      <p>{t('save-as-playlist-text')}</p>
      <TextField label={t('name')} value={name} onChange={setName} maxLength={200} required />
    </FormDialog>
  )
}
