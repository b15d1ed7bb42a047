import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KeptQueue } from '../../shared/api/queue'
import { TextField } from '../components/text-field'
import { FormDialog } from '../library/forms/form-dialog'
import { useQueueActions } from './queue-actions'
import { useQueues } from './use-queues'

/** The queue to name: the one in use or a kept one. Absent, a new queue begins. */
export type Named = { name: string | null; kept: KeptQueue | null }

type Props = { named?: Named; onClose: () => void }

/** Names a queue: a new one, which takes the place of the present one, or one that is there. */
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
