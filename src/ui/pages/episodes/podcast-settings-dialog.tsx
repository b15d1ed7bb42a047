import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Podcast } from '../../../shared/api/podcast'
import type { PodcastSettings, SettingMode } from '../../../shared/api/settings'
import { useApp } from '../../app-context'
import { describeFailure } from '../../failure'
import { Field } from '../../components/field'
import { AlreadyTold, FormDialog } from '../../components/form-dialog'
import { Switch } from '../../components/switch'
import './podcast-settings-dialog.css'

type Mode = 'autoUpdateMode' | 'autoDownloadMode' | 'autoCleanupMode' | 'deleteAfterListenedMode'
const modes: readonly Mode[] = ['autoUpdateMode', 'autoDownloadMode', 'autoCleanupMode', 'deleteAfterListenedMode']
const choices: readonly SettingMode[] = ['inherit', 'on', 'off']

type Texts = Record<
  'feed' | 'username' | 'password' | 'userAgent' | 'include' | 'exclude' | 'autoCleanupDays' | 'keepLast' | 'maxNew',
  string
>

/** What a podcast has otherwise than the rest of the library. */
export function PodcastSettingsDialog({ podcast, onClose }: { podcast: Podcast; onClose: () => void }) {
  const { api, failed } = useApp()
  const [settings, setSettings] = useState<PodcastSettings | null>(null)
  useEffect(() => {
    api.podcasts.settings(podcast.id).then(setSettings, error => {
      failed(error)
      onClose()
    })
  }, [api, failed, podcast.id, onClose])
  return settings && <SettingsForm podcast={podcast} settings={settings} onClose={onClose} />
}

const shown = (value: number | null) => (value === null ? '' : String(value))
const number = (text: string) => (text.trim() === '' ? null : Number.parseInt(text, 10))

function SettingsForm({
  podcast,
  settings,
  onClose,
}: {
  podcast: Podcast
  settings: PodcastSettings
  onClose: () => void
}) {
  const { api, library, toasts } = useApp()
  const { t } = useTranslation()
  const [values, setValues] = useState(settings)
  const [texts, setTexts] = useState<Texts>({
    feed: podcast.rssfeed,
    username: '',
    password: '',
    userAgent: settings.userAgent ?? '',
    include: settings.include ?? '',
    exclude: settings.exclude ?? '',
    autoCleanupDays: settings.autoCleanupMode === 'on' ? String(settings.autoCleanupDays) : '',
    keepLast: settings.autoCleanupMode === 'on' ? shown(settings.keepLast) : '',
    maxNew: shown(settings.maxNewPerRefresh),
  })
  const [withoutPassword, setWithoutPassword] = useState(false)
  const [feedFailure, setFeedFailure] = useState<string | null>(null)

  async function save() {
    setFeedFailure(null)
    // First what may fail by others' fault: then nothing else is saved either.
    if (texts.feed.trim() !== podcast.rssfeed)
      await api.podcasts.changeFeed(podcast.id, texts.feed).catch(error => {
        setFeedFailure(describeFailure(error))
        throw new AlreadyTold()
      })
    const hasCredentials = texts.username !== '' || texts.password !== ''
    await api.podcasts.editSettings(podcast.id, {
      ...Object.fromEntries(modes.map(mode => [mode, values[mode]])),
      autoCleanupDays: number(texts.autoCleanupDays),
      keepLast: number(texts.keepLast),
      maxNewPerRefresh: number(texts.maxNew),
      include: texts.include,
      exclude: texts.exclude,
      skipTrailers: values.skipTrailers,
      userAgent: texts.userAgent,
      ...(hasCredentials && { username: texts.username, password: texts.password }),
      ...(withoutPassword && { username: '', password: '' }),
    })
    await library.load()
    toasts.done(t('settings-saved'))
  }
  const field = (name: keyof Texts, type: 'text' | 'number' | 'password' | 'url', more: object = {}) => (
    <Field
      label={t(`own-${name}`)}
      help={t(`own-${name}-help`, { defaultValue: '' })}
      failure={name === 'feed' ? feedFailure : null}
    >
      {props => (
        <input
          {...props}
          {...more}
          type={type}
          autoComplete="off"
          value={texts[name]}
          onChange={event => setTexts({ ...texts, [name]: event.target.value })}
        />
      )}
    </Field>
  )

  return (
    <FormDialog
      title={t('podcast-settings-of', { name: podcast.name })}
      action={t('save')}
      onSubmit={save}
      onClose={onClose}
    >
      <div className="podcast-settings">
        {modes.map(mode => (
          <Field key={mode} label={t(`setting-${mode.replace(/Mode$/, '')}`)}>
            {props => (
              <select
                {...props}
                value={values[mode]}
                onChange={event => setValues({ ...values, [mode]: event.target.value as SettingMode })}
              >
                {choices.map(choice => (
                  <option key={choice} value={choice}>
                    {t(`mode-${choice}`)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        ))}
        {values.autoCleanupMode === 'on' && (
          <>
            {field('autoCleanupDays', 'number', { min: 1, max: 36_500, inputMode: 'numeric' })}
            {field('keepLast', 'number', { min: 1, max: 10_000, inputMode: 'numeric' })}
          </>
        )}
        {values.autoDownloadMode !== 'off' && (
          <>
            {field('maxNew', 'number', { min: 0, max: 10_000, inputMode: 'numeric' })}
            {field('include', 'text', { maxLength: 1000 })}
            {field('exclude', 'text', { maxLength: 1000 })}
            <Switch
              label={t('own-skipTrailers')}
              isOn={values.skipTrailers}
              onChange={skipTrailers => setValues({ ...values, skipTrailers })}
            />
          </>
        )}
        <h3>{t('own-feed-heading')}</h3>
        {field('feed', 'url', { required: true, maxLength: 4096 })}
        {field('username', 'text', { maxLength: 500 })}
        {field('password', 'password', { maxLength: 500, autoComplete: 'new-password' })}
        {podcast.has_credentials && (
          <label className="check">
            <input
              type="checkbox"
              checked={withoutPassword}
              onChange={event => setWithoutPassword(event.target.checked)}
            />
            {t('own-forget-password')}
          </label>
        )}
        {field('userAgent', 'text', { maxLength: 300 })}
      </div>
    </FormDialog>
  )
}
