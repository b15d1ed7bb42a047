import { expect, spyOn, test } from 'bun:test'
import type { EpisodeWrapper } from '../../../src/shared/api/episode'
import type { EpisodeHistory } from '../../../src/shared/api/history'
import { createCalls, settled } from '../../support/settled'
import { createSilenceDetector } from '../../../src/ui/playback/sound-graph'
import { noPreferences } from '../../../src/ui/playback/state'
import { heard, startPlayer, wrapper } from '../../support/player'

test('seeking stays within the episode, and skipping forward acts only where it stays before the end', async () => {
  const { player, asked, ended, saved, audio } = startPlayer()
  await player.play(wrapper(), 'Pod')
  player.seek(-5)
  expect(player.position.value).toBe(0)
  player.seek(5000)
  expect(player.position.value).toBe(600)
  player.seek(550)
  asked.length = 0
  player.skipForward()
  expect([player.position.value, ended]).toEqual([580, []])
  expect(asked).toEqual(['eid'])
  const before = [saved.length, audio.calls.length]
  for (const seconds of [30, 20]) player.skip(seconds)
  expect([player.position.value, player.isPlaying.value, ended]).toEqual([580, true, []])
  expect([saved.length, audio.calls.length]).toEqual(before)
  player.skip(19)
  expect(player.position.value).toBe(599)
  player.skipBack()
  expect(player.position.value).toBe(569)
})

test('skipping forward near the end leaves a paused episode alone, and an episode of unknown length has no end', async () => {
  const { player, ended } = startPlayer()
  await player.play(wrapper(), 'Pod')
  player.pause()
  player.seek(590)
  player.skipForward()
  expect([player.position.value, ended]).toEqual([590, []])
  const restored = startPlayer()
  await restored.player.show(wrapper({ position: 590, total: 600, finished: false }), 'Pod')
  restored.player.skipForward()
  await restored.player.resume()
  expect(restored.audio.calls).toContain('load /media/eid.mp3 at 590')
  const endless = startPlayer()
  await endless.player.play(wrapper(null, 0), 'Pod')
  endless.player.skipForward()
  expect([endless.player.position.value, endless.ended]).toEqual([30, []])
})

test('an audio of unknown length takes its total from the server', async () => {
  const { player, audio } = startPlayer({ history: { position: 0, total: 900 } })
  await player.play(wrapper(null, 0), 'Pod')
  audio.events.onDuration(null)
  await Promise.resolve()
  await Promise.resolve()
  expect(player.duration.value).toBe(900)
})

test('the speed cycles and is remembered, and the volume stays between 0 and 300', async () => {
  const { player, audio, storage } = startPlayer({ stored: { 'player.rate': '2.5', 'player.volume': '80' } })
  expect(audio.calls).toEqual(['rate 2.5', 'volume 80'])
  player.cycleRate()
  player.cycleRate()
  expect(player.rate.value).toBe(0.5)
  expect(storage.get('player.rate')).toBe('0.5')
  player.setVolume(999)
  expect(player.volume.value).toBe(300)
  player.toggleMute()
  expect(audio.calls.at(-1)).toBe('volume 0')
  player.toggleMute()
  expect(audio.calls.at(-1)).toBe('volume 300')
})

test("a podcast's own speed and volume apply while it plays, and the usual ones stay unchanged", async () => {
  const stored = { 'player.rate': '1.25', 'player.volume': '80' }
  const { player, audio, storage } = startPlayer({ stored, preferences: { speed: 2, boost: 150 } })
  await player.play(wrapper(), 'Pod')
  expect([player.rate.value, player.volume.value]).toEqual([2, 150])
  expect(audio.calls).toContain('rate 2')
  player.cycleRate()
  player.setVolume(200)
  expect([storage.get('player.rate'), storage.get('player.volume')]).toEqual(['1.25', '80'])
})

test('pausing also works while buffering', async () => {
  const { player, audio } = startPlayer()
  await player.play(wrapper(), 'Pod')
  audio.events.onPaused()
  audio.events.onWaiting(true)
  player.pause()
  expect([player.isWaiting.value, player.isPlaying.value, audio.calls.at(-1)]).toEqual([false, false, 'pause'])
})

test('a speed is chosen for a podcast, or taken for all of them', async () => {
  const { player, storage, preferred } = startPlayer()
  await player.play(wrapper(), 'Pod')
  player.chooseRate(1.5)
  expect([player.rate.value, storage.get('player.rate'), preferred]).toEqual([1.5, undefined, ['pod 1.5']])
  player.keepRate()
  await settled()
  expect([storage.get('player.rate'), preferred]).toEqual(['1.5', ['pod 1.5', 'pod null']])
  player.keepRate()
  expect(preferred).toHaveLength(2)
})

test('speed and silence kept for one podcast are saved with it, follow its listener, and end with a reset', async () => {
  const { player, storage, edits } = startPlayer({ stored: { 'player.rate': '1.25', 'player.volume': '150' } })
  await player.play(wrapper(), 'Pod')
  player.setRate(1.3)
  player.toggleSkipSilence()
  expect([player.isOwnSound.value, edits, storage.get('player.rate')]).toEqual([false, [], '1.3'])
  player.setOwnSound(true)
  player.setRate(1.35)
  player.toggleSkipSilence()
  player.setVolume(170)
  await settled()
  expect(edits).toEqual([
    { speed: 1.3, skipSilence: true, boost: 150 },
    { speed: 1.35, skipSilence: false, boost: 170 },
  ])
  expect([storage.get('player.rate'), storage.get('player.skip-silence'), player.isOwnSound.value]).toEqual([
    '1.3',
    'on',
    true,
  ])
  player.setOwnSound(false)
  await settled()
  expect(edits.at(-1)).toEqual({ speed: null, skipSilence: null, boost: null })
  expect([player.rate.value, player.skipsSilence.value, player.volume.value]).toEqual([1.3, true, 150])
})

const other = { ...wrapper(), podcastEpisode: { ...wrapper().podcastEpisode, episode_id: 'eid2', podcast_id: 'other' } }

test('a sound chosen before the preferences of the next podcast arrive is that of the podcast before', async () => {
  const arrival = Promise.withResolvers<{ speed: number }>()
  const { player, preferred } = startPlayer({
    preferencesOf: async podcastId => (podcastId === 'pod' ? { speed: 1.2 } : arrival.promise),
  })
  await player.play(wrapper(), 'Pod')
  const shown = player.show(other, 'Other')
  player.chooseRate(1.4)
  player.setSkipsMarked(true)
  await settled()
  expect(preferred).toEqual(['pod 1.4', 'pod skips true'])
  arrival.resolve({ speed: 2 })
  await shown
  expect([player.rate.value, player.skipsMarked.value]).toEqual([2, false])
  player.chooseRate(1.5)
  await settled()
  expect(preferred.at(-1)).toBe('other 1.5')
  player.clear()
  player.chooseRate(1.6)
  await settled()
  expect(preferred.at(-1)).toBe('other 1.5')
})

test('preferences saved in the dialog reach the podcast that plays, and no other', async () => {
  const { player, preferred } = startPlayer()
  await player.play(wrapper(), 'Pod')
  player.preferred('other', { ...noPreferences, speed: 3 })
  expect(player.rate.value).toBe(1)
  player.preferred('pod', { ...noPreferences, speed: 1.75, skipMarked: true, skipSilence: true })
  expect([player.rate.value, player.skipsMarked.value, player.skipsSilence.value]).toEqual([1.75, true, true])
  player.chooseRate(1.8)
  expect(preferred).toEqual(['pod 1.8'])
})

test('a live stream has no speed of its own', async () => {
  const { player, edits } = startPlayer()
  await player.playLive({ episode: wrapper().podcastEpisode, podcastName: 'Pod', podcastId: 'pod', live: {} as never })
  player.cycleRate()
  player.setOwnSound(true)
  await settled()
  expect(edits).toEqual([])
})

test('what plays next begins without asking, unless it changed since, and never before a place reached elsewhere', async () => {
  const answers = createCalls<[string], EpisodeHistory>()
  const { player, audio, asked, saved } = startPlayer({ findHistory: answers.call, preferences: { skipIntro: 5 } })
  const next = (id: string) => ({
    podcastEpisode: { ...wrapper().podcastEpisode, id, episode_id: id, local_url: `/media/${id}.mp3` },
    podcastHistoryItem: null,
  })
  const at = (position: number) => ({ position, total: 600, finished: false }) as EpisodeHistory
  await player.play(wrapper({ position: 590 }), 'Pod')
  void player.prepare(next('b'), true)
  await answers.answer(at(0))
  expect([asked, audio.calls.at(-1)]).toEqual([['b'], 'prepare /media/b.mp3 at 5'])
  await player.play(next('b'), 'Pod')
  expect(audio.calls).toContain('load /media/b.mp3 at 5')
  // Played elsewhere in the meantime, unknown to this page.
  await answers.answer(at(300))
  expect(audio.calls.at(-1)).toBe('seek 300')
  audio.events.onTime(6)
  player.pause()
  expect(saved.filter(({ podcastEpisodeId }) => podcastEpisodeId === 'b')).toEqual([])

  void player.prepare(next('c'), false)
  await answers.answer(at(0))
  player.played({ ...heard(40), episode_id: 'c' })
  void player.play(next('c'), 'Pod')
  await answers.answer(at(40))
  expect([asked.slice(2), audio.calls.filter(call => call.includes('c.mp3'))]).toEqual([
    ['c', 'c'],
    ['load /media/c.mp3 at 40'],
  ])
})

test('the buttons skip as far as their listener likes', async () => {
  const { player } = startPlayer({ skipLengths: () => ({ back: 15, forward: 60 }) })
  await player.play(wrapper(), 'Pod')
  player.skipForward()
  player.skipBack()
  expect(player.position.value).toBe(45)
})

test('what happens to the episode elsewhere is shown in the player', async () => {
  const { player } = startPlayer()
  await player.play(wrapper(), 'Pod')
  const before = player.current.value
  player.edit(shown => shown)
  expect(player.current.value).toBe(before)
  player.edit(shown => ({ ...shown, podcastEpisode: { ...shown.podcastEpisode, favored: true } }))
  expect(player.current.value?.episode.favored).toBe(true)
})

test('the pause between two words does not count as silence', () => {
  const isSilence = createSilenceDetector()
  const detect = (loudness: number, times: readonly number[]) => times.map(time => isSilence(loudness, time))
  expect(detect(0.2, [0, 20])).toEqual([false, false])
  expect(detect(0.001, [40, 200, 320])).toEqual([false, false, false])
  expect(detect(0.1, [340])).toEqual([false])
  expect(detect(0.001, [360, 600, 680, 900])).toEqual([false, false, true, true])
  expect(detect(0.05, [920])).toEqual([false])
})

const wrapperNamed = (name: string): EpisodeWrapper => {
  const { podcastEpisode, ...rest } = wrapper()
  return { ...rest, podcastEpisode: { ...podcastEpisode, id: name, episode_id: name, local_url: `/media/${name}.mp3` } }
}

test('an episode stored on this device is played from the device', async () => {
  const { player, audio } = startPlayer({ addressOf: async eid => `blob:${eid}` })
  await player.play(wrapper(), 'Pod')
  expect(audio.calls).toContain('load blob:eid at 0')
})

test('an address found after another episode was chosen is not played', async () => {
  const { calls, call, answer } = createCalls<[string], string | null>()
  const { player, audio } = startPlayer({ addressOf: call })
  void player.play(wrapper(), 'Pod')
  await settled()
  void player.play(wrapperNamed('next'), 'Pod')
  await settled()
  expect(calls.map(({ args }) => args[0])).toEqual(['eid', 'next'])
  await answer(null, 1)
  await answer(null, 0)
  expect(audio.calls.filter(name => name.startsWith('load'))).toEqual(['load /media/next.mp3 at 0'])
})

test('an episode whose history arrives after another one was chosen does not start', async () => {
  const history = createCalls<[string], EpisodeHistory>()
  const { player, audio } = startPlayer({ findHistory: history.call })
  void player.play(wrapper(), 'Pod')
  void player.play(wrapperNamed('next'), 'Pod')
  const none = { position: 0, total: null, finished: false } as EpisodeHistory
  await history.answer({ ...none, position: 42 }, 1)
  await history.answer({ ...none, position: 7 }, 0)
  expect(audio.calls.filter(name => name.startsWith('load'))).toEqual(['load /media/next.mp3 at 42'])
  expect(player.position.value).toBe(42)
})

test('the address of a file on this device is released when it is no longer needed', async () => {
  const released: string[] = []
  const revoke = spyOn(URL, 'revokeObjectURL').mockImplementation(address => void released.push(address))
  const address = createCalls<[string], string | null>()
  const { player } = startPlayer({ addressOf: address.call })
  void player.play(wrapper(), 'Pod')
  await settled()
  player.pause()
  await address.answer('blob:late')
  expect(released).toEqual(['blob:late'])
  for (const blob of ['blob:first', 'blob:second']) {
    await player.show(wrapperNamed(blob), 'Pod')
    void player.resume()
    await settled()
    await address.answer(blob)
  }
  expect(released).toEqual(['blob:late', 'blob:first'])
  revoke.mockRestore()
})

test('each tab puts back what it had last, and a new one what was played last of all', async () => {
  const storage = new Map<string, string>()
  const one = startPlayer({ storage })
  const two = startPlayer({ storage })
  const episode = (eid: string) => {
    const { podcastEpisode, ...rest } = wrapper()
    return { ...rest, podcastEpisode: { ...podcastEpisode, episode_id: eid } }
  }
  const last = () => [one, two, startPlayer({ storage })].map(({ player }) => player.lastEpisode())
  await one.player.play(episode('a'), 'Pod')
  await two.player.play(episode('b'), 'Pod')
  expect(last()).toEqual(['a', 'b', 'b'])
  one.player.pause()
  one.player.toggle()
  await settled()
  expect(last()).toEqual(['a', 'b', 'a'])
  two.player.clear()
  expect(last()).toEqual(['a', 'a', 'a'])
  one.player.clear()
  expect(last()).toEqual([null, null, null])
})
