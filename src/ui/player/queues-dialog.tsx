import { useSignals } from '@preact/signals-react/runtime'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queuesApi } from '../api/queues'
import { useApp } from '../app-context'
import { Dialog } from '../components/dialog'
import { IconButton } from '../components/icon-button'
import { useResource } from '../use-resource'
import { useQueueActions } from './queue-actions'
import { QueueNameDialog, type Named } from './queue-name-dialog'
import './queue.css'

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
          <ul className="queues spaced">
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
                  className="secondary small"
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
      <b dir="auto">{name}</b>
      <span className="muted numbers">{count !== null && t('episodes-count', { count })}</span>
    </span>
  )
}
