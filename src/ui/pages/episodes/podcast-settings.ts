import type { Podcast } from '../../../shared/api/podcast'
import type { PreferredForm } from '../../../shared/api/playables'
import type { PodcastSettings, PodcastSettingsEdit, SettingMode } from '../../../shared/api/settings'

export const modeNames = ['autoUpdateMode', 'autoDownloadMode', 'autoCleanupMode', 'deleteAfterListenedMode'] as const
type ModeName = (typeof modeNames)[number]
export type TextName =
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

/** Reads the form, but for the address of the feed, which is changed by its own call. */
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
