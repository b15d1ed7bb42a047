import { lazily } from '../../components/lazily'

const parts = () => import('./dialog-parts')

export const DeletePodcastDialog = lazily(async () => (await parts()).DeletePodcastDialog)
export const PodcastSettingsDialog = lazily(async () => (await parts()).PodcastSettingsDialog)
export const PreferencesDialog = lazily(async () => (await parts()).PreferencesDialog)
export const TagsDialog = lazily(async () => (await parts()).TagsDialog)
