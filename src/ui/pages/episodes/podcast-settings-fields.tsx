import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { settingModes } from '../../../shared/choices'
import { Check } from '../../components/check'
import { SelectField } from '../../components/select-field'
import { SettingGroup, SettingSwitch } from '../../library/forms/setting-row'
import { TextField } from '../../components/text-field'
import { FormField } from './form-field'
import { modeNames, type Fields, type TextName } from './podcast-settings'

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

/** Whether files that arrive from now on are transcribed. */
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
  /** The key of the words for no number. */
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
