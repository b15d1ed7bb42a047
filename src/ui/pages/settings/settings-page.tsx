import { useSignals } from '@preact/signals-react/runtime'
import { useCallback, useEffect, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Settings } from '../../../shared/api/settings'
import { ApiError } from '../../api/client'
import { describeFailure, useApp } from '../../app-state'
import { Field } from '../../components/field'
import { Notice } from '../../components/notice'
import { PageHeader } from '../../components/page-header'
import { Failed, Skeleton } from '../../components/states'
import './settings-page.css'

const MOST_PREFILLED = 10_000

/** What the server does by itself with new podcasts and episodes; for admins to change, for others to know. */
export function SettingsPage() {
  useSignals()
  const { api } = useApp()
  const { t } = useTranslation()
  const [settings, setSettings] = useState<Settings | null>(null)
  const [error, setError] = useState<unknown>(null)
  const load = useCallback(() => {
    setError(null)
    api.system.settings().then(setSettings, setError)
  }, [api])
  useEffect(load, [load])

  return (
    <div className="settings">
      <PageHeader title={t('settings')} />
      {error !== null && !settings && <Failed error={error} onRetry={load} />}
      {!settings && error === null && <Skeleton kind="row" count={3} />}
      {settings && <SettingsForm settings={settings} />}
    </div>
  )
}

function SettingsForm({ settings }: { settings: Settings }) {
  useSignals()
  const { api, session, toasts } = useApp()
  const { t } = useTranslation()
  const [values, setValues] = useState(settings)
  const [prefill, setPrefill] = useState(String(settings.podcastPrefill))
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const isAdmin = session.isAdmin.value

  async function save(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setFailure(null)
    try {
      const { autoUpdate, autoDownload } = values
      setValues(
        await api.system.editSettings({ autoUpdate, autoDownload, podcastPrefill: Number.parseInt(prefill, 10) }),
      )
      toasts.done(t('settings-saved'))
    } catch (error) {
      setFailure(error)
    }
    setBusy(false)
  }

  return (
    <form onSubmit={event => void save(event)}>
      {!isAdmin && <Notice>{t('settings-for-admins')}</Notice>}
      <fieldset disabled={!isAdmin}>
        <label className="check">
          <input
            type="checkbox"
            role="switch"
            aria-checked={values.autoUpdate}
            checked={values.autoUpdate}
            onChange={event => setValues({ ...values, autoUpdate: event.target.checked })}
          />
          {t('auto-update')}
        </label>
        <label className="check">
          <input
            type="checkbox"
            role="switch"
            aria-checked={values.autoDownload}
            checked={values.autoDownload}
            onChange={event => setValues({ ...values, autoDownload: event.target.checked })}
          />
          {t('auto-download')}
        </label>
        <Field label={t('prefill')} help={t('prefill-help')}>
          {props => (
            <input
              {...props}
              type="number"
              inputMode="numeric"
              min={0}
              max={MOST_PREFILLED}
              step={1}
              required
              value={prefill}
              onChange={event => setPrefill(event.target.value)}
            />
          )}
        </Field>
      </fieldset>
      {failure !== null && (
        <p className="field-failure" role="alert">
          {failure instanceof ApiError && failure.code === 'invalid-field'
            ? t('settings-invalid')
            : describeFailure(failure)}
        </p>
      )}
      {isAdmin && (
        <button type="submit" aria-busy={isBusy} disabled={isBusy}>
          {t('save')}
        </button>
      )}
    </form>
  )
}
