import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import type { PreferredForm } from '../../../shared/api/playables'
import type { Podcast } from '../../../shared/api/podcast'
import type { PodcastSettings, PodcastSettingsEdit, SettingMode } from '../../../shared/api/settings'
import { preferredForms, settingModes } from '../../../shared/choices'
import { Check, SelectField, TextField } from '../../components/fields'
import { SettingGroup, SettingSwitch } from '../../library/forms/setting-row'

type Props = { fields: Fields; onChange: (edit: Partial<Fields>) => void }

/** The modes: on, off, or as for the whole library. */
export function ModeFields({ fields, onChange }: Props) {
  const { t } = useTranslation()
  return modeNames.map(name => (
    <SelectField
      key={name}
      label={t(`setting-${name.replace(/Mode$/, '')}`)}
      value={fields[name]}
      options={settingModes}
      textOf={mode => t(`mode-${mode}`)}
      onChange={mode => onChange({ [name]: mode })}
    />
  ))
}

/** The limits of cleaning up. */
export const CleanupFields = (props: Props) => (
  <>
    <OwnNumber {...props} name="autoCleanupDays" min={1} max={36_500} />
    <OwnChoice {...props} name="keepLast" emptyText="mode-inherit" counts={[1, 2, 3, 5, 10, 25, 50, 100]} />
  </>
)

/** The rules for downloading new episodes. */
export function DownloadFields(props: Props) {
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
export function TranscriptFields({ fields, onChange }: Props) {
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

type FeedProps = Props & { hasFeed: boolean; hasPassword: boolean; addressFailure: string | null }

/** The address of the feed, and the credentials for its host. */
export function FeedFields({ hasFeed, hasPassword, addressFailure, ...props }: FeedProps) {
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

type OwnProps = Props & { name: TextName } & Omit<ComponentProps<typeof TextField>, keyof Props | 'label' | 'name'>

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

type ChoiceProps = Props & {
  name: TextName
  /** The key of the text for no number. */
  emptyText: 'mode-inherit' | 'only-all'
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
  'feed' | 'username' | 'password' | 'userAgent' | 'include' | 'exclude' | 'autoCleanupDays' | 'keepLast' | 'maxNew'

/** The fields of the form. Numbers are texts, so that a field can be empty. */
export type Fields = Record<ModeName, SettingMode> &
  Record<TextName, string> & {
    preferredForm: PreferredForm | ''
    skipTrailers: boolean
    autoTranscribe: boolean
    forgetPassword: boolean
  }

/** Fills the form. User name and password are never shown, so their fields begin empty. */
export const fieldsOf = (podcast: Podcast, settings: PodcastSettings): Fields => ({
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
  maxNew: textOf(settings.maxNewPerRefresh),
  preferredForm: settings.preferredForm ?? '',
  skipTrailers: settings.skipTrailers,
  autoTranscribe: settings.autoTranscribe,
  forgetPassword: false,
})

/** Reads the form, except the address of the feed, which is changed by a separate call. */
export function editOf(fields: Fields): PodcastSettingsEdit {
  const { username, password, forgetPassword } = fields
  return {
    autoUpdateMode: fields.autoUpdateMode,
    autoDownloadMode: fields.autoDownloadMode,
    autoCleanupMode: fields.autoCleanupMode,
    deleteAfterListenedMode: fields.deleteAfterListenedMode,
    autoCleanupDays: numberOf(fields.autoCleanupDays),
    keepLast: numberOf(fields.keepLast),
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
export function FormField(props: FormFieldProps) {
  const { t } = useTranslation()
  return <SelectField {...props} options={choices} textOf={choice => t(`form-${choice || 'main'}`)} />
}
