export { DeletePodcastDialog } from './delete-podcast-dialog'
export { PodcastSettingsDialog } from './podcast-settings-dialog'
export { PreferencesDialog } from './preferences-dialog'
export { TagsDialog } from './tags-dialog'
