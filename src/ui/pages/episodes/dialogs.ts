import { lazily } from '../../components/lazily'

const parts = () => import('./dialog-parts')

export const AboutDialog = lazily(async () => (await parts()).AboutDialog)
export const DeletePodcastDialog = lazily(async () => (await parts()).DeletePodcastDialog)
export const DownloadAllDialog = lazily(async () => (await parts()).DownloadAllDialog)
export const FeedHelpDialog = lazily(async () => (await parts()).FeedHelpDialog)
export const PodcastSettingsDialog = lazily(async () => (await parts()).PodcastSettingsDialog)
export const PreferencesDialog = lazily(async () => (await parts()).PreferencesDialog)
export const TagsDialog = lazily(async () => (await parts()).TagsDialog)
