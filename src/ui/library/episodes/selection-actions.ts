import type { AllMatching, Chosen, EpisodeWrapper, QueueTurn } from '../../../shared/api/episode'
import type { AppState } from '../../app-context'
import { inPieces } from '../../api/calls'
import { translate } from '../../i18n'
import type { Selection } from '../../state/selection'
import { changeNew } from './new-episodes'

export type SelectionActions = ReturnType<typeof selectionActions>

/** `chosen`: the ids of the selected episodes, or the filter that all match; `count`: their number. */
type Target = { app: AppState; chosen: Chosen; count: number }

/**
 * The actions on all selected episodes, or with `filter` on all that match it. Each ends the selection once it is done,
 * and offers undo if possible.
 */
export const selectionActions = (app: AppState, selection: Selection<EpisodeWrapper>, filter?: AllMatching) =>
  actionsOn(
    app,
    () => ({
      chosen: filter ?? selection.items.peek().map(({ podcastEpisode }) => podcastEpisode.id),
      count: selection.count.peek(),
    }),
    selection.end,
  )

/** The actions on chosen episodes. */
export function actionsOn(app: AppState, choose: () => Omit<Target, 'app'>, onDone?: () => void) {
  const guarded = (action: (target: Target) => Promise<unknown>) => () =>
    action({ app, ...choose() }).then(onDone, app.failed)
  return {
    queueNext: guarded(target => queue(target, 'next')),
    queueLast: guarded(target => queue(target, 'last')),
    markPlayed: guarded(target => mark(target, true)),
    markUnplayed: guarded(target => mark(target, false)),
    markNew: guarded(({ chosen }) => changeNew(app, chosen, true)),
    markNotNew: guarded(({ chosen }) => changeNew(app, chosen, false)),
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
  const { app } = target
  async function change(chosen: Chosen, to: boolean) {
    const answers = await inPieces(chosen, piece => app.api.episodes.batch.like(piece, to))
    const ids = answers.flatMap(({ episodes }) => episodes)
    app.changes.editedAll(ids, episode => ({ ...episode, favored: to }))
    return ids
  }
  const ids = await change(target.chosen, favored)
  report(target, translate(favored ? 'liked-count' : 'unliked-count', { count: ids.length }), () =>
    change(ids, !favored),
  )
}

async function download(target: Target) {
  const { app, chosen } = target
  const { queued, undo } = await app.api.episodes.batch.download(chosen)
  report(target, translate('downloads-queued', { count: queued }), async () => {
    const { affected } = await app.api.episodes.batch.undoDownload(undo)
    app.toasts.done(translate('downloads-cancelled', { count: affected }))
  })
}

async function deleteFiles({ app, chosen }: Target) {
  const { batch } = app.api.episodes
  const gone = (await inPieces(chosen, batch.deleteFiles)).flatMap(({ episodes }) => episodes)
  app.toasts.done(translate('files-deleted', { count: gone.length }), {
    label: translate('download-again'),
    run: () => void inPieces(gone, batch.download).catch(app.failed),
  })
}
