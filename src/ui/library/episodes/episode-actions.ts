import i18next from 'i18next'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { AppState } from '../../app-context'
import { copyText } from '../../device/clipboard'
import { routes } from '../../routes'

/** What can be done with an episode, with its undo where one is possible and a notice where it fails. */
export function episodeActions(app: AppState, wrapper: EpisodeWrapper, podcastName: string) {
  const { podcastEpisode: episode, podcastHistoryItem: history } = wrapper
  const total = history?.total ?? episode.total_time

  async function setPosition(time: number, finished: boolean) {
    // The player must not save its own position over this one.
    if (app.player.current.value?.episode.id === episode.id) app.player.clear()
    await app.api.playback.save({ podcastEpisodeId: episode.episode_id, time, finished, ...(total > 0 && { total }) })
  }
  async function markListened(finished: boolean) {
    try {
      await setPosition(finished ? total : 0, finished)
      const undo = () => void setPosition(history?.position ?? 0, history?.finished ?? false).catch(app.failed)
      app.toasts.done(i18next.t(finished ? 'marked-played' : 'marked-unplayed'), {
        label: i18next.t('undo'),
        run: undo,
      })
    } catch (error) {
      app.failed(error)
    }
  }

  async function takeOut() {
    const item = app.queue.find(episode.id)
    if (item) await app.queue.remove(item)
  }

  async function download() {
    try {
      const { errorCode } = await app.api.episodes.download(episode.episode_id)
      if (errorCode === 'disk-full') app.toasts.failed(i18next.t('download-error.disk-full'))
    } catch (error) {
      app.failed(error)
    }
  }

  return {
    play: () => void app.player.play(wrapper, podcastName).catch(app.failed),
    playAt: (seconds: number) => void app.player.playAt(wrapper, podcastName, seconds).catch(app.failed),
    download,
    async removeDownload() {
      try {
        await app.api.episodes.removeDownload(episode.episode_id)
        if (!episode.status) return
        app.toasts.done(i18next.t('file-deleted'), {
          label: i18next.t('download-again'),
          run: () => void download(),
        })
      } catch (error) {
        app.failed(error)
      }
    },
    markListened,
    async queue(at: 'next' | 'last') {
      try {
        const wasThere = app.queue.find(episode.id) !== undefined
        await app.queue.add(episode.id, at)
        app.toasts.done(
          i18next.t(at === 'next' ? 'plays-next' : 'added-to-queue'),
          wasThere ? undefined : { label: i18next.t('undo'), run: () => void takeOut().catch(app.failed) },
        )
      } catch (error) {
        app.failed(error)
      }
    },
    async keep() {
      try {
        await app.kept.keep(wrapper, podcastName)
        app.toasts.done(i18next.t('kept', { name: episode.name }))
      } catch {
        app.toasts.failed(i18next.t('not-kept', { name: episode.name }))
      }
    },
    async toggleLike() {
      const favored = !episode.favored
      app.changes.edited(episode.id, shown => ({ ...shown, favored }))
      await app.api.episodes.like(episode.id, favored).catch(error => {
        app.changes.edited(episode.id, shown => ({ ...shown, favored: !favored }))
        app.failed(error)
      })
    },
    async copyLink() {
      const address = new URL(`${app.prefix}/ui${routes.episodes(episode.podcast_id, episode.id)}`, location.href)
      if (await copyText(address.href)) app.toasts.done(i18next.t('link-copied'))
      else app.toasts.failed(i18next.t('link-not-copied', { link: address.href }))
    },
  }
}
