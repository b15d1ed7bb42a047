import { useTranslation } from 'react-i18next'
import type { TimelineSpan } from '../../../shared/api/timeline'
import { useApp } from '../../app-context'
import { useQueueing } from '../../library/episodes/use-queueing'

/** Returns functions that queue and mark a part of the timeline, and offer to undo that. */
export function useTimelineActions() {
  const { api, changes, failed, library, toasts } = useApp()
  const { t } = useTranslation()
  const queueing = useQueueing()
  function refresh() {
    changes.all()
    void library.load()
  }
  async function markPlayed(span: TimelineSpan) {
    try {
      const { affected, undo } = await api.timeline.mark(span, true)
      const takeBack = () => void api.timeline.undoMark(undo).then(refresh, failed)
      toasts.done(
        t('marked-count-played', { count: affected }),
        affected > 0 ? { label: t('undo'), run: takeBack } : undefined,
      )
      refresh()
    } catch (error) {
      failed(error)
    }
  }
  return { markPlayed, queueAll: (span: TimelineSpan) => queueing(() => api.timeline.queue(span)) }
}
