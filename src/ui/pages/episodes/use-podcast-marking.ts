import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'

/**
 * Returns a function that marks all episodes of a podcast, or those up to `until` (an `id`), as played or not, and
 * offers to undo that.
 */
export function usePodcastMarking(podcastId: string, onMarked: () => void) {
  const { api, failed, toasts } = useApp()
  const { t } = useTranslation()
  return async (finished: boolean, until?: string) => {
    try {
      const { affected, undo } = await api.podcasts.markListened(podcastId, { finished, ...(until && { until }) })
      const takeBack = () => void api.podcasts.undoListened(podcastId, undo).then(onMarked, failed)
      toasts.done(
        t(finished ? 'marked-count-played' : 'marked-count-unplayed', { count: affected }),
        affected > 0 ? { label: t('undo'), run: takeBack } : undefined,
      )
      onMarked()
    } catch (error) {
      failed(error)
    }
  }
}
