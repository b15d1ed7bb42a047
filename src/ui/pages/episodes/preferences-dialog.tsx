import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KnownPodcast } from '../../../shared/api/podcast'
import type { Preferences } from '../../../shared/api/settings'
import { playbackRates } from '../../../shared/limits'
import { queuePlaces } from '../../../shared/choices'
import { useApp } from '../../app-context'
import { Check, SelectField, TextField } from '../../components/fields'
import { FormDialog, useFailureNotice } from '../../library/forms/form-dialog'
import { useResource } from '../../use-resource'
import { FormField } from './podcast-settings-dialog'

const skips = [
  { name: 'skipIntro', help: 'skipIntro-help' },
  { name: 'skipOutro', help: 'skipOutro-help' },
] as const

type Props = { podcast: KnownPodcast; onClose: () => void }

/** A user's preferences for a podcast: speed, volume, skipped parts, and whether new episodes are queued. */
export function PreferencesDialog({ podcast, onClose }: Props) {
  const { api } = useApp()
  const { data, error } = useResource((_, id: string) => api.podcasts.preferences(id), [podcast.id])
  useFailureNotice(error, onClose)
  return data && <PreferencesForm podcast={podcast} saved={data} onClose={onClose} />
}

function PreferencesForm({ podcast, saved, onClose }: Props & { saved: Preferences }) {
  const { api, toasts } = useApp()
  const { t } = useTranslation()
  const [preferences, setPreferences] = useState(saved)
  const change = (edit: Partial<Preferences>) => setPreferences({ ...preferences, ...edit })
  async function save() {
    await api.podcasts.editPreferences(podcast.id, preferences)
    toasts.done(t('settings-saved'))
  }
  return (
    <FormDialog
      title={t('preferences-of', { name: podcast.name })}
      action={t('save')}
      onSubmit={save}
      onClose={onClose}
    >
      <SelectField
        label={t('speed')}
        value={String(preferences.speed ?? '')}
        options={['', ...playbackRates.map(String)]}
        textOf={rate => (rate === '' ? t('as-usual') : `${rate}×`)}
        onChange={rate => change({ speed: rate === '' ? null : Number(rate) })}
      />
      <TextField
        label={t('volume-boost')}
        help={t('volume-boost-help')}
        type="number"
        inputMode="numeric"
        min={0}
        max={300}
        value={preferences.boost ?? ''}
        onChange={text => change({ boost: text === '' ? null : Number.parseInt(text, 10) })}
      />
      {skips.map(({ name, help }) => (
        <TextField
          key={name}
          label={t(name)}
          help={t(help)}
          type="number"
          inputMode="numeric"
          min={0}
          max={600}
          placeholder="0"
          value={preferences[name] || ''}
          onChange={text => change({ [name]: Number.parseInt(text, 10) || 0 })}
        />
      ))}
      <Check isOn={preferences.skipMarked} onChange={skipMarked => change({ skipMarked })}>
        {t('skipMarked')}
      </Check>
      <small className="muted">{t('skipMarked-help')}</small>
      <FormField
        label={t('preferred-form')}
        help={t('preferred-form-help')}
        value={preferences.form ?? ''}
        onChange={form => change({ form: form || null })}
      />
      <QueueFields preferences={preferences} onChange={change} />
    </FormDialog>
  )
}

type QueueFieldsProps = { preferences: Preferences; onChange: (edit: Partial<Preferences>) => void }

const places = ['', ...queuePlaces] as const
const words = { '': 'queue-new-off', front: 'queue-new-front', end: 'queue-new-end' } as const
const MAX_COUNT = 100

/** Whether new episodes of a podcast enter the queue automatically, where, and how many of them wait there. */
function QueueFields({ preferences: { queueNew, queueMost }, onChange }: QueueFieldsProps) {
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
          max={MAX_COUNT}
          required
          value={queueMost || ''}
          onChange={text => onChange({ queueMost: Number.parseInt(text, 10) || 0 })}
        />
      )}
    </>
  )
}
