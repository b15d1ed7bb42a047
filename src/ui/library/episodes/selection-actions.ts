import type { Chosen, EpisodeWrapper, MatchingEpisodes, QueueTurn } from '../../../shared/api/episode'
import type { AppState } from '../../app-context'
import { translate } from '../../i18n'
import type { Selection } from '../../state/selection'
import { changeNew, idsOfNew } from './new-episodes'

export type SelectionActions = ReturnType<typeof selectionActions>

/** `chosen`: the same episodes for the calls that also take a filter, and their number. */
type Target = {
  app: AppState
  ids: readonly string[]
  wrappers: readonly EpisodeWrapper[]
  chosen: Chosen
  count: number
}

/** The actions on all selected episodes. Each ends the selection once it is done, and offers undo if possible. */
export function selectionActions(app: AppState, selection: Selection<EpisodeWrapper>, filter?: MatchingEpisodes) {
  const guarded = (action: (target: Target) => Promise<unknown>) => () => {
    const wrappers = selection.items.peek()
    const ids = wrappers.map(({ podcastEpisode }) => podcastEpisode.id)
    const chosen = selection.everything.peek() !== null && filter ? filter : ids
    const target = { app, wrappers, ids, chosen, count: selection.count.peek() }
    return action(target).then(selection.end, app.failed)
  }
  return {
    queueNext: guarded(target => queue(target, 'next')),
    queueLast: guarded(target => queue(target, 'last')),
    markPlayed: guarded(target => mark(target, true)),
    markUnplayed: guarded(target => mark(target, false)),
    markNew: guarded(({ ids }) => changeNew(app, ids, true)),
    markNotNew: guarded(({ wrappers }) => changeNew(app, idsOfNew(wrappers), false)),
    like: guarded(target => like(target, true)),
    unlike: guarded(target => like(target, false)),
    download: guarded(download),
    deleteFiles: guarded(deleteFiles),
  }
}

/** Shows what was done, and offers to undo it unless nothing was. */
function report({ app }: Target, text: string, undo: () => Promise<unknown>) {
  app.toasts.done(text, { label: translate('undo'), run: () => void undo().catch(app.failed) })
}

async function queue(target: Target, at: QueueTurn) {
  const restore = await target.app.queue.addAll(target.chosen, at)
  report(target, translate(at === 'next' ? 'play-next-count' : 'queued-episodes', { count: target.count }), restore)
}

async function mark(target: Target, finished: boolean) {
  const { app, chosen } = target
  const { affected, undo } = await app.api.episodes.batch.mark(chosen, finished)
  refresh(app)
  report(
    target,
    translate(finished ? 'marked-count-played' : 'marked-count-unplayed', { count: affected }),
    async () => {
      await app.api.episodes.batch.undoMark(undo)
      refresh(app)
    },
  )
}

/** Shows what a marking changed: there are no events for each episode. */
function refresh({ changes, library }: AppState) {
  changes.all()
  void library.load().catch(() => undefined)
}

async function like(target: Target, favored: boolean) {
  const { app, wrappers } = target
  // Undo does not change those that were already liked, or already not.
  const ids = wrappers.flatMap(({ podcastEpisode: { id, favored: before } }) => (before === favored ? [] : [id]))
  const change = async (to: boolean) => {
    await app.api.episodes.batch.like(ids, to)
    for (const id of ids) app.changes.edited(id, episode => ({ ...episode, favored: to }))
  }
  await change(favored)
  report(target, translate(favored ? 'liked-count' : 'unliked-count', { count: ids.length }), () => change(!favored))
}

async function download(target: Target) {
  const { app, chosen } = target
  const { queued, undo } = await app.api.episodes.batch.download(chosen)
  report(target, translate('downloads-queued', { count: queued }), async () => {
    const { affected } = await app.api.episodes.batch.undoDownload(undo)
    app.toasts.done(translate('downloads-cancelled', { count: affected }))
  })
}

async function deleteFiles({ app, ids, wrappers }: Target) {
  const { affected } = await app.api.episodes.batch.deleteFiles(ids)
  const gone = wrappers.flatMap(({ podcastEpisode: { id, status } }) => (status ? [id] : []))
  app.toasts.done(translate('files-deleted', { count: affected }), {
    label: translate('download-again'),
    run: () => void app.api.episodes.batch.download(gone).catch(app.failed),
  })
}
