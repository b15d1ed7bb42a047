import { inPieces } from '../../api/calls'
import { newEpisodesApi } from '../../api/library'
import type { Chosen } from '../../../shared/api/episode'
import type { AppState } from '../../app-context'
import { translate } from '../../i18n'

type App = Pick<AppState, 'client' | 'changes' | 'library' | 'toasts' | 'failed'>

/** Makes episodes new, or not new any more without playing them, and offers to undo it. */
export async function changeNew(app: App, chosen: Chosen, toNew: boolean) {
  report(app, await setNew(app, chosen, toNew), toNew)
}

/** Makes no episode of a podcast new any more, and offers to undo it. */
export async function clearNew(app: App, podcastId: string) {
  const { episodes } = await newEpisodesApi(app.client).clear(podcastId)
  show(app, episodes, false)
  report(app, episodes, false)
}

/** Returns the ids of the episodes that were not so before. */
async function setNew(app: App, chosen: Chosen, toNew: boolean): Promise<readonly string[]> {
  const { set } = newEpisodesApi(app.client)
  const changed = (await inPieces(chosen, piece => set(piece, toNew))).flatMap(({ episodes }) => episodes)
  show(app, changed, toNew)
  return changed
}

function show({ changes, library }: App, ids: readonly string[], toNew: boolean) {
  changes.editedAll(ids, episode => ({ ...episode, is_new: toNew }))
  void library.load().catch(() => undefined)
}

function report(app: App, ids: readonly string[], toNew: boolean) {
  app.toasts.done(translate(toNew ? 'marked-new' : 'marked-not-new', { count: ids.length }), {
    label: translate('undo'),
    run: () => void setNew(app, ids, !toNew).catch(app.failed),
  })
}
