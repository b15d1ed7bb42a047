import { signal } from '@preact/signals-core'
import { expect, test } from 'bun:test'
import type { EpisodeWrapper } from '../../../src/shared/api/episode'
import { createGone } from '../../../src/ui/playback/player-extras'
import type { LiveDownload } from '../../../src/ui/state/live-state'
import { createToasts } from '../../../src/ui/state/toasts'
import { startPlayer, wrapper } from '../../support/player'

/** A player whose server has learned how the host of every episode answers. */
function start({ status, isQueued = false }: { status: number; isQueued?: boolean }) {
  const { player } = startPlayer()
  const toasts = createToasts()
  const log: string[] = []
  const one = wrapper()
  const live = { state: 'failed', errorCode: 'media-unreachable', status } as LiveDownload
  createGone({
    player,
    toasts,
    downloads: { byEpisode: signal(new Map([[one.podcastEpisode.episode_id, live]])) },
    next: signal<EpisodeWrapper | undefined>(isQueued ? wrapper() : undefined),
    playNext: () => void log.push('next'),
  })
  return { player, one, log, said: () => toasts.all.value.at(-1) }
}

test('an episode known to be gone is told as soon as it is to play, and the next one can play instead', async () => {
  const { player, one, log, said } = start({ status: 404, isQueued: true })
  await player.show(one, 'Pod')
  expect(said()).toBeUndefined()
  void player.resume()
  expect(said()).toMatchObject({ kind: 'failed', text: 'episode-gone', action: { label: 'play-next-instead' } })
  said()!.action!.run()
  expect(log).toEqual(['next'])
})

test('with nothing to play instead, an episode known to be gone can be taken out of the player', async () => {
  const { player, one, said } = start({ status: 410 })
  void (await player.play(one, 'Pod'))
  expect(said()?.action?.label).toBe('dismiss')
  said()!.action!.run()
  expect(player.current.value).toBeNull()
})

test('a host that only fails now says nothing before it was asked', async () => {
  const { player, one, said } = start({ status: 503 })
  await player.play(one, 'Pod')
  expect(said()).toBeUndefined()
})
