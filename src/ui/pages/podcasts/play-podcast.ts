import { useApp } from '../../app-context'
import type { Podcast } from '../../../shared/api/podcast'

/** Returns a function that plays what one most likely wants of a podcast, as the server knows it. */
export function usePlayPodcast({ id, name }: Podcast) {
  const { api, player, failed } = useApp()
  return () =>
    void api.podcasts
      .overview(id)
      .then(({ next, newest }) => {
        const episode = next?.episode ?? newest
        if (episode) void player.play(episode, name)
      })
      .catch(failed)
}
