import { Download, Ellipsis, Eye, ListPlus, Pencil, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Playlist, PlaylistSummary } from '../../../shared/api/playlist'
import { useApp } from '../../app-context'
import { inGroups, Menu } from '../../components/menu'
import { usePlaylistEditor } from '../../library/playlists/use-playlist-editor'
import { routes } from '../../routes'
import { usePlaylistActions } from './use-playlist-actions'

type Props = { playlist: PlaylistSummary; onRemove: (playlist: PlaylistSummary) => void }

/** The actions on a playlist of a list. */
export function PlaylistMenu({ playlist, onRemove }: Props) {
  const { t } = useTranslation()
  const editor = usePlaylistEditor()
  const withEpisodes = useWithEpisodes()
  const { queueAll, downloadAll } = usePlaylistActions()
  const { id, name, episodes } = playlist
  const items = () =>
    inGroups(
      [
        { icon: Eye, label: t('view-this'), to: routes.playlist(id) },
        { icon: Pencil, label: t('edit-this'), onSelect: () => withEpisodes(playlist, editor.begin) },
      ],
      episodes === 0
        ? []
        : [
            {
              icon: ListPlus,
              label: t('add-to-queue'),
              onSelect: () => withEpisodes(playlist, whole => queueAll(whole.items)),
            },
            ...(downloadAll
              ? [
                  {
                    icon: Download,
                    label: t('download-whole'),
                    onSelect: () => withEpisodes(playlist, whole => downloadAll(whole.items)),
                  },
                ]
              : []),
          ],
      [{ icon: Trash2, label: t('delete'), isDanger: true, onSelect: () => onRemove(playlist) }],
    )
  return <Menu icon={Ellipsis} label={t('more-of', { name })} heading={name} items={items} />
}

/** Returns a function that reads the episodes of a playlist, which the list does not contain, and uses them. */
export function useWithEpisodes() {
  const { api, failed } = useApp()
  return ({ id }: PlaylistSummary, act: (playlist: Playlist) => unknown) =>
    void api.playlists.find(id).then(act).catch(failed)
}
