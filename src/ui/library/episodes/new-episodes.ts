import { newEpisodesApi } from '../../api/new-episodes'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { MAX_CHOSEN } from '../../../shared/limits'
import type { AppState } from '../../app-context'
import { translate } from '../../i18n'
import { isNew } from './episode-target'

export const idsOfNew = (wrappers: readonly EpisodeWrapper[]) =>
  wrappers.filter(isNew).map(({ podcastEpisode }) => podcastEpisode.id)

type App = Pick<AppState, 'client' | 'changes' | 'library' | 'toasts' | 'failed'>

/** Makes episodes new, or not new any more without playing them, and offers to undo it. */
export async function changeNew(app: App, ids: readonly string[], toNew: boolean) {
  await setNew(app, ids, toNew)
  report(app, ids, toNew)
}

/** Makes no episode of a podcast new any more, and offers to undo it. */
export async function clearNew(app: App, podcastId: string) {
  const { episodes } = await newEpisodesApi(app.client).clear(podcastId)
  show(app, episodes, false)
  report(app, episodes, false)
}

async function setNew(app: App, ids: readonly string[], toNew: boolean) {
  for (let at = 0; at < ids.length; at += MAX_CHOSEN)
    await newEpisodesApi(app.client).set(ids.slice(at, at + MAX_CHOSEN), toNew)
  show(app, ids, toNew)
}

function show({ changes, library }: App, ids: readonly string[], toNew: boolean) {
  for (const id of ids) changes.edited(id, episode => ({ ...episode, is_new: toNew }))
  void library.load().catch(() => undefined)
}

function report(app: App, ids: readonly string[], toNew: boolean) {
  app.toasts.done(translate(toNew ? 'marked-new' : 'marked-not-new', { count: ids.length }), {
    label: translate('undo'),
    run: () => void setNew(app, ids, !toNew).catch(app.failed),
  })
}
