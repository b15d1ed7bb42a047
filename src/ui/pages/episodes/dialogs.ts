import { lazily } from '../../lazily'

export const DeletePodcastDialog = lazily(async () => (await import('./delete-podcast-dialog')).DeletePodcastDialog)
export const PodcastSettingsDialog = lazily(
  async () => (await import('./podcast-settings-dialog')).PodcastSettingsDialog,
)
export const PreferencesDialog = lazily(async () => (await import('./preferences-dialog')).PreferencesDialog)
export const TagsDialog = lazily(async () => (await import('./tags-dialog')).TagsDialog)
