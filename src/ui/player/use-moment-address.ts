import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { shareLink } from '../device/share'
import { routes } from '../routes'
import type { Playing } from '../playback/state'

/** Returns the function that makes the address of a second of an episode. */
export function useMomentAddress({ episode, podcastId }: Playing) {
  const { prefix } = useApp()
  return (seconds: number) =>
    new URL(`${prefix}/ui${routes.episodes(podcastId, episode.id, seconds)}`, location.href).href
}

/** Returns the function that shares a link to a second of an episode. */
export function useShare(playing: Playing) {
  const { toasts } = useApp()
  const addressAt = useMomentAddress(playing)
  const { t } = useTranslation()
  async function share(seconds: number) {
    const href = addressAt(seconds)
    const outcome = await shareLink(playing.episode.name, href)
    if (outcome === 'copied') toasts.done(t('link-copied'))
    if (outcome === 'failed') toasts.failed(t('link-not-copied', { link: href }))
  }
  return (seconds: number) => void share(seconds)
}
