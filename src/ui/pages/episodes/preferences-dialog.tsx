import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Podcast } from '../../../shared/api/podcast'
import type { Preferences } from '../../../shared/api/settings'
import { playbackRates } from '../../../shared/playback-rates'
import { useApp } from '../../app-context'
import { Field } from '../../components/field'
import { FormDialog } from '../../components/form-dialog'

/** How this listener wants to hear a podcast. */
export function PreferencesDialog({ podcast, onClose }: { podcast: Podcast; onClose: () => void }) {
  const { api, failed, toasts } = useApp()
  const { t } = useTranslation()
  const [wishes, setWishes] = useState<Preferences | null>(null)
  useEffect(() => {
    api.podcasts.preferences(podcast.id).then(setWishes, error => {
      failed(error)
      onClose()
    })
  }, [api, failed, podcast.id, onClose])
  if (!wishes) return null
  const seconds = (name: 'skipIntro' | 'skipOutro', help: string) => (
    <Field label={t(name)} help={help}>
      {props => (
        <input
          {...props}
          type="number"
          inputMode="numeric"
          min={0}
          max={600}
          placeholder="0"
          value={wishes[name] || ''}
          onChange={event => setWishes({ ...wishes, [name]: Number.parseInt(event.target.value, 10) || 0 })}
        />
      )}
    </Field>
  )
  return (
    <FormDialog
      title={t('preferences-of', { name: podcast.name })}
      action={t('save')}
      onSubmit={async () => {
        await api.podcasts.editPreferences(podcast.id, wishes)
        toasts.done(t('settings-saved'))
      }}
      onClose={onClose}
    >
      <Field label={t('speed')}>
        {props => (
          <select
            {...props}
            value={wishes.speed ?? ''}
            onChange={event =>
              setWishes({ ...wishes, speed: event.target.value === '' ? null : Number(event.target.value) })
            }
          >
            <option value="">{t('as-usual')}</option>
            {playbackRates.map(rate => (
              <option key={rate} value={rate}>
                {rate}×
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={t('volume-boost')} help={t('volume-boost-help')}>
        {props => (
          <input
            {...props}
            type="number"
            inputMode="numeric"
            min={0}
            max={300}
            value={wishes.boost ?? ''}
            onChange={event =>
              setWishes({
                ...wishes,
                boost: event.target.value === '' ? null : Number.parseInt(event.target.value, 10),
              })
            }
          />
        )}
      </Field>
      {seconds('skipIntro', t('skipIntro-help'))}
      {seconds('skipOutro', t('skipOutro-help'))}
    </FormDialog>
  )
}
