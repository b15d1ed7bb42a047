import { copyText } from '../../device/share'
import { translate } from '../../i18n'
import { routes } from '../../routes'
import { download, isNew, type Target } from './episode-target'
import { changeNew } from './new-episodes'

// Actions that are loaded when they are first used.

/** Hides the episode from Continue listening; its position stays. */
export async function hide({ app, wrapper: { podcastEpisode: episode } }: Target) {
  async function set(hidden: boolean) {
    await app.api.playback.hide(episode.id, hidden)
    app.changes.hidden()
  }
  await set(true)
  app.toasts.done(translate('removed-from-continue-listening'), {
    label: translate('undo'),
    run: () => void set(false).catch(app.failed),
  })
}

export async function removeDownload(target: Target) {
  const { app, wrapper } = target
  await app.api.episodes.removeDownload(wrapper.podcastEpisode.episode_id)
  // Cancelling a running download deletes no finished file.
  if (!wrapper.podcastEpisode.status) return
  app.toasts.done(translate('file-deleted'), {
    label: translate('download-again'),
    run: () => void download(target).catch(app.failed),
  })
}

export async function keepOnDevice({ app, wrapper, podcastName }: Target) {
  const { name } = wrapper.podcastEpisode
  try {
    await app.kept.keep(wrapper, podcastName)
    app.toasts.done(translate('kept', { name }))
  } catch {
    app.toasts.failed(translate('not-kept', { name }))
  }
}

export async function copyLink({ app, wrapper: { podcastEpisode: episode } }: Target) {
  const path = routes.episodes(episode.podcast_id, episode.id)
  const { href } = new URL(`${app.prefix}/ui${path}`, location.href)
  if (await copyText(href)) app.toasts.done(translate('link-copied'))
  else app.toasts.failed(translate('link-not-copied', { link: href }))
}

/** Makes the episode new, or not new any more. */
export const toggleNew = ({ app, wrapper }: Target) => changeNew(app, [wrapper.podcastEpisode.id], !isNew(wrapper))
