import { lazily } from '../../components/lazily'

export const PickPlaylistDialog = lazily(async () => (await import('./pick-playlist-dialog')).PickPlaylistDialog)
export const PlaylistWizard = lazily(async () => (await import('./playlist-wizard')).PlaylistWizard)
