import { Download, Ellipsis, Eye, ListPlus, Pencil, Rss, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { Playlist, PlaylistSummary } from '../../../shared/api/playlist'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/buttons'
import { inGroups, Menu } from '../../components/menu'
import { useCopyFeed } from '../../library/forms/copy'
import { usePlaylistEditor } from '../../library/playlists/use-playlist-editor'
import { routes } from '../../routes'
import { orderOf, usePlaylistActions } from './use-playlist-actions'

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

/** The episodes of a chosen order up to which a playlist is deleted without a question. */
const MAX_UNASKED = 50

/** Returns a function that deletes a playlist and offers to undo it. */
export function useDeletion(onChanged: () => void) {
  const { api, toasts, failed } = useApp()
  const { t } = useTranslation()
  async function remove({ id, name, rules }: PlaylistSummary) {
    try {
      const items = rules ? [] : orderOf((await api.playlists.find(id)).items)
      await api.playlists.remove(id)
      toasts.done(t('playlist-deleted'), {
        label: t('undo'),
        run: () => void api.playlists.create({ name, items, rules }).then(onChanged).catch(failed),
      })
      onChanged()
    } catch (error) {
      failed(error)
    }
  }
  return { isLong: ({ episodes }: PlaylistSummary) => episodes > MAX_UNASKED, remove }
}

/** The rare actions on the playlist that a page is about; loaded later than the page. */
export function OwnMenu({ playlist }: { playlist: Playlist }) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const { copyPath } = useCopyFeed()
  const { queueAll, downloadAll } = usePlaylistActions()
  const { remove } = useDeletion(() => navigate(routes.playlists))
  const { id, name, items, rules } = playlist
  const download = downloadAll && items.length > 0 && (() => void downloadAll(items))
  const summary = { id, name, rules, episodes: items.length, seconds: 0, podcasts: [], playedAt: null, holds: false }
  return (
    <>
      {download && (
        <IconButton icon={Download} label={t('download-whole')} className="above-phone" onClick={download} />
      )}
      <Menu
        icon={Ellipsis}
        label={t('more-of', { name })}
        heading={name}
        items={[
          ...(items.length > 0
            ? [{ icon: ListPlus, label: t('queue-these'), onSelect: () => void queueAll(items) }]
            : []),
          ...(download ? [{ icon: Download, label: t('download-whole'), onSelect: download }] : []),
          { icon: Rss, label: t('copy-feed-address'), onSelect: () => void copyPath(`playlist/${id}`) },
          { group: '', icon: Trash2, label: t('delete'), isDanger: true, onSelect: () => void remove(summary) },
        ]}
      />
    </>
  )
}
