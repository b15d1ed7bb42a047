import { useState, type ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import type { KnownPodcast, Podcast } from '../../../shared/api/podcast'
import type { PodcastSettings, PodcastSettingsEdit, SettingMode } from '../../../shared/api/settings'
import { useApp } from '../../app-context'
import { describeFailure } from '../../failure'
import { FormDialog, ShownAtField, useFailureNotice } from '../../library/forms/form-dialog'
import { useResource } from '../../use-resource'
import './dialogs.css'
import type { PreferredForm } from '../../../shared/api/playables'
import { preferredForms, settingModes } from '../../../shared/choices'
import { Check, SelectField, TextField } from '../../components/fields'
import { SettingGroup, SettingSwitch } from '../../library/forms/setting-row'

type Props = { podcast: KnownPodcast; onClose: () => void }

/** The settings of one podcast that differ from those of the whole library. */
export function PodcastSettingsDialog({ podcast, onClose }: Props) {
  const { api } = useApp()
  // The address of the feed is not in the shared list.
  const { data, error } = useResource(
    (_, id: string) => Promise.all([api.podcasts.find(id), api.podcasts.settings(id)]),
    [podcast.id],
  )
  useFailureNotice(error, onClose)
  return data && <SettingsForm podcast={data[0]} settings={data[1]} onClose={onClose} />
}

type FormProps = { podcast: Podcast; settings: PodcastSettings; onClose: () => void }

function SettingsForm({ podcast, settings, onClose }: FormProps) {
  const { api, library, session, toasts } = useApp()
  const { t } = useTranslation()
  const [fields, setFields] = useState(() => fieldsOf(podcast, settings))
  const [feedFailure, setFeedFailure] = useState<string | null>(null)
  const change = (edit: Partial<Fields>) => setFields({ ...fields, ...edit })

  /** Changes the address first: its host may refuse, and then nothing else is saved. */
  async function changeFeed() {
    setFeedFailure(null)
    if (fields.feed.trim() === podcast.rssfeed) return
    try {
      await api.podcasts.changeFeed(podcast.id, fields.feed)
    } catch (error) {
      setFeedFailure(describeFailure(error))
      throw new ShownAtField()
    }
  }
  async function save() {
    await changeFeed()
    await api.podcasts.editSettings(podcast.id, editOf(fields))
    await library.load()
    toasts.done(t('settings-saved'))
  }
  return (
    <FormDialog
      title={t('podcast-settings-of', { name: podcast.name })}
      action={t('save')}
      onSubmit={save}
      onClose={onClose}
    >
      <div className="podcast-settings stack spaced">
        <ModeFields fields={fields} onChange={change} />
        <OwnChoice
          name="keepNext"
          emptyText="own-keepNext-off"
          counts={[1, 2, 3, 5, 10, 25, 50]}
          fields={fields}
          onChange={change}
        />
        {fields.autoCleanupMode === 'on' && <CleanupFields fields={fields} onChange={change} />}
        {fields.autoDownloadMode !== 'off' && <DownloadFields fields={fields} onChange={change} />}
        {session.config.peek()?.transcriptionEnabled && <TranscriptFields fields={fields} onChange={change} />}
        <FeedFields
          fields={fields}
          hasFeed={podcast.rssfeed !== ''}
          hasPassword={podcast.has_credentials}
          addressFailure={feedFailure}
          onChange={change}
        />
      </div>
    </FormDialog>
  )
}

type FieldsProps = { fields: Fields; onChange: (edit: Partial<Fields>) => void }

/** The modes: on, off, or as for the whole library. */
function ModeFields({ fields, onChange }: FieldsProps) {
  const { t } = useTranslation()
  return modeNames.map(name => (
    <SelectField
      key={name}
      label={t(name === 'autoUpdateMode' ? 'own-autoUpdate' : `setting-${name.replace(/Mode$/, '')}`)}
      value={fields[name]}
      options={settingModes}
      textOf={mode => t(`mode-${mode}`)}
      onChange={mode => onChange({ [name]: mode })}
    />
  ))
}

/** The limits of cleaning up. */
const CleanupFields = (props: FieldsProps) => (
  <>
    <OwnNumber {...props} name="autoCleanupDays" min={1} max={36_500} />
    <OwnChoice {...props} name="keepLast" emptyText="mode-inherit" counts={[1, 2, 3, 5, 10, 25, 50, 100]} />
  </>
)

/** The rules for downloading new episodes. */
function DownloadFields(props: FieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <OwnChoice {...props} name="maxNew" emptyText="only-all" counts={[0, 1, 2, 3, 5, 10, 25, 50]} />
      <OwnText {...props} name="include" type="text" maxLength={1000} />
      <OwnText {...props} name="exclude" type="text" maxLength={1000} />
      <FormField
        label={t('own-preferredForm')}
        help={t('own-preferredForm-help')}
        value={props.fields.preferredForm}
        onChange={preferredForm => props.onChange({ preferredForm })}
      />
      <SettingGroup>
        <SettingSwitch
          label={t('own-skipTrailers')}
          isOn={props.fields.skipTrailers}
          onChange={skipTrailers => props.onChange({ skipTrailers })}
        />
      </SettingGroup>
    </>
  )
}

/** Whether new downloads are transcribed. */
function TranscriptFields({ fields, onChange }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <SettingGroup>
      <SettingSwitch
        label={t('own-autoTranscribe')}
        help={t('own-autoTranscribe-help')}
        isOn={fields.autoTranscribe}
        onChange={autoTranscribe => onChange({ autoTranscribe })}
      />
    </SettingGroup>
  )
}

type FeedProps = FieldsProps & { hasFeed: boolean; hasPassword: boolean; addressFailure: string | null }

/** The address of the feed, and the credentials for its host. */
function FeedFields({ hasFeed, hasPassword, addressFailure, ...props }: FeedProps) {
  const { t } = useTranslation()
  return (
    <>
      <h3>{t('own-feed-heading')}</h3>
      <OwnText {...props} name="feed" type="url" required={hasFeed} maxLength={4096} failure={addressFailure} />
      <OwnText {...props} name="username" type="text" maxLength={500} />
      <OwnText {...props} name="password" type="password" maxLength={500} autoComplete="new-password" />
      {hasPassword && (
        <Check isOn={props.fields.forgetPassword} onChange={forgetPassword => props.onChange({ forgetPassword })}>
          {t('own-forget-password')}
        </Check>
      )}
      <OwnText {...props} name="userAgent" type="text" maxLength={300} />
    </>
  )
}

type OwnProps = FieldsProps & { name: TextName } & Omit<
    ComponentProps<typeof TextField>,
    keyof FieldsProps | 'label' | 'name'
  >

function OwnText({ fields, onChange, name, ...input }: OwnProps) {
  const { t } = useTranslation()
  return (
    <TextField
      label={t(`own-${name}`)}
      help={t(`own-${name}-help`, { defaultValue: '' })}
      autoComplete="off"
      value={fields[name]}
      onChange={text => onChange({ [name]: text })}
      {...input}
    />
  )
}

type ChoiceProps = FieldsProps & {
  name: TextName
  /** The key of the text for no number. */
  emptyText: 'mode-inherit' | 'only-all' | 'own-keepNext-off'
  counts: readonly number[]
}

/** A number among a few, or none. A number that was set elsewhere is offered as well. */
function OwnChoice({ fields, onChange, name, emptyText, counts }: ChoiceProps) {
  const { t } = useTranslation()
  const value = fields[name]
  const options = new Set([...counts, ...(value === '' ? [] : [Number(value)])])
  return (
    <SelectField
      label={t(`own-${name}`)}
      help={t(`own-${name}-help`, { defaultValue: '' })}
      value={value}
      options={['', ...[...options].sort((one, other) => one - other).map(String)]}
      textOf={count => (count === '' ? t(emptyText) : count)}
      onChange={count => onChange({ [name]: count })}
    />
  )
}

const OwnNumber = (props: OwnProps) => <OwnText {...props} type="number" inputMode="numeric" />

const modeNames = ['autoUpdateMode', 'autoDownloadMode', 'autoCleanupMode', 'deleteAfterListenedMode'] as const
type ModeName = (typeof modeNames)[number]
type TextName =
  | 'feed'
  | 'username'
  | 'password'
  | 'userAgent'
  | 'include'
  | 'exclude'
  | 'autoCleanupDays'
  | 'keepLast'
  | 'keepNext'
  | 'maxNew'

/** The fields of the form. Numbers are texts, so that a field can be empty. */
type Fields = Record<ModeName, SettingMode> &
  Record<TextName, string> & {
    preferredForm: PreferredForm | ''
    skipTrailers: boolean
    autoTranscribe: boolean
    forgetPassword: boolean
  }

/** Fills the form. User name and password are never shown, so their fields begin empty. */
const fieldsOf = (podcast: Podcast, settings: PodcastSettings): Fields => ({
  autoUpdateMode: settings.autoUpdateMode,
  autoDownloadMode: settings.autoDownloadMode,
  autoCleanupMode: settings.autoCleanupMode,
  deleteAfterListenedMode: settings.deleteAfterListenedMode,
  feed: podcast.rssfeed,
  username: '',
  password: '',
  userAgent: settings.userAgent ?? '',
  include: settings.include ?? '',
  exclude: settings.exclude ?? '',
  // Otherwise these are the numbers of the whole library.
  autoCleanupDays: settings.autoCleanupMode === 'on' ? textOf(settings.autoCleanupDays) : '',
  keepLast: settings.autoCleanupMode === 'on' ? textOf(settings.keepLast) : '',
  keepNext: textOf(settings.keepNext),
  maxNew: textOf(settings.maxNewPerRefresh),
  preferredForm: settings.preferredForm ?? '',
  skipTrailers: settings.skipTrailers,
  autoTranscribe: settings.autoTranscribe,
  forgetPassword: false,
})

/** Reads the form, except the address of the feed, which is changed by a separate call. */
function editOf(fields: Fields): PodcastSettingsEdit {
  const { username, password, forgetPassword } = fields
  return {
    autoUpdateMode: fields.autoUpdateMode,
    autoDownloadMode: fields.autoDownloadMode,
    autoCleanupMode: fields.autoCleanupMode,
    deleteAfterListenedMode: fields.deleteAfterListenedMode,
    autoCleanupDays: numberOf(fields.autoCleanupDays),
    keepLast: numberOf(fields.keepLast),
    keepNext: numberOf(fields.keepNext),
    maxNewPerRefresh: numberOf(fields.maxNew),
    include: fields.include,
    exclude: fields.exclude,
    preferredForm: fields.preferredForm || null,
    skipTrailers: fields.skipTrailers,
    autoTranscribe: fields.autoTranscribe,
    userAgent: fields.userAgent,
    ...((username !== '' || password !== '') && { username, password }),
    ...(forgetPassword && { username: '', password: '' }),
  }
}

const textOf = (value: number | null) => (value === null ? '' : String(value))
const numberOf = (text: string) => (text.trim() === '' ? null : Number.parseInt(text, 10))

type Choice = PreferredForm | ''
type FormFieldProps = { label: string; help: string; value: Choice; onChange: (choice: Choice) => void }

const choices: readonly Choice[] = ['', ...preferredForms]

/** Chooses the form of episodes to prefer if a feed offers several; '' = the main one. */
function FormField(props: FormFieldProps) {
  const { t } = useTranslation()
  return <SelectField {...props} options={choices} textOf={choice => t(`form-${choice || 'main'}`)} />
}
