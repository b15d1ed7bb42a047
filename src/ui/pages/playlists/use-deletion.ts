import { useTranslation } from 'react-i18next'
import type { PlaylistSummary } from '../../../shared/api/playlist'
import { useApp } from '../../app-context'
import { orderOf } from './use-playlist-actions'

/** The episodes of a chosen order up to which a playlist is deleted without a question. */
const MAX_UNASKED = 50

/** Returns what deletes a playlist, which can be undone. */
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
