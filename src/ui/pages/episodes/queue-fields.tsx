import { useTranslation } from 'react-i18next'
import type { Preferences } from '../../../shared/api/settings'
import { SelectField } from '../../components/select-field'
import { TextField } from '../../components/text-field'

type Props = { preferences: Preferences; onChange: (edit: Partial<Preferences>) => void }

const places = ['', 'front', 'end'] as const
const words = { '': 'queue-new-off', front: 'queue-new-front', end: 'queue-new-end' } as const
const MOST = 100

/** Whether new episodes of a podcast enter the queue automatically, where, and how many of them wait there. */
export function QueueFields({ preferences: { queueNew, queueMost }, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <>
      <SelectField
        label={t('queue-new')}
        help={t('queue-new-help')}
        value={queueNew ?? ''}
        options={places}
        textOf={place => t(words[place])}
        onChange={place => onChange({ queueNew: place || null })}
      />
      {queueNew && (
        <TextField
          label={t('queue-most')}
          help={t('queue-most-help')}
          type="number"
          inputMode="numeric"
          min={1}
          max={MOST}
          required
          value={queueMost || ''}
          onChange={text => onChange({ queueMost: Number.parseInt(text, 10) || 0 })}
        />
      )}
    </>
  )
}
