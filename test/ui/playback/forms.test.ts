import { expect, test } from 'bun:test'
import type { EpisodeForm } from '../../../src/shared/api/playables'
import { findPreferred } from '../../../src/shared/forms'
import { liveEpisode } from '../../../src/ui/playback/live-episode'
import { startPlayer, wrapper } from '../../support/player'
import { settled } from '../../support/settled'

const form = (id: string, more: Partial<EpisodeForm> = {}): EpisodeForm => ({
  id,
  type: 'audio/opus',
  isDefault: false,
  local_url: `/media/eid.opus?form=${id}`,
  isFile: false,
  ...more,
})

test('another form continues at the same second, and the main one after it', async () => {
  const { player, audio } = startPlayer()
  await player.play(wrapper(), 'Pod')
  audio.events.onTime(42)
  player.chooseForm(form('small'))
  await settled()
  expect(audio.calls).toContain('load /media/eid.opus?form=small at 42')
  expect(player.current.value?.form?.id).toBe('small')
  player.pause()
  audio.calls.length = 0
  player.chooseForm(null)
  expect(audio.calls).toEqual([])
  await player.resume()
  expect(audio.calls).toContain('load /media/eid.mp3 at 42')
})

test('the form that is playing is not loaded again, and another episode begins with its own', async () => {
  const { player, audio } = startPlayer()
  await player.playForm(wrapper(), 'Pod', form('small'))
  audio.calls.length = 0
  player.chooseForm(form('small'))
  expect(audio.calls).toEqual([])
  const other = wrapper()
  await player.play({ ...other, podcastEpisode: { ...other.podcastEpisode, id: 'other', episode_id: 'other' } }, 'Pod')
  expect(player.current.value?.form).toBeUndefined()
})

test('a live stream has no position: none is saved or sought, and after a pause it continues with what is on', async () => {
  const { player, audio, saved, asked } = startPlayer({ stored: { 'player.rate': '2' } })
  const stream = { type: 'audio/mpeg', local_url: '/media/live/pod/1' }
  const item = {
    id: '1',
    guid: '1',
    status: 'live',
    title: 'Storm night',
    start: '2026-01-01T00:00:00.000Z',
    streams: [stream],
  } as const
  const playing = liveEpisode(
    { id: 'pod', name: 'Pod', explicit: 'false' } as never,
    { ...item, streams: [stream] },
    stream,
  )
  await player.playLive(playing)
  audio.events.onDuration(null)
  audio.events.onTime(100)
  player.seek(5)
  player.skipForward()
  expect([player.position.value, player.duration.value, player.rate.value]).toEqual([100, 0, 1])
  player.pause()
  player.leave()
  await player.catchUp()
  expect([saved, asked]).toEqual([[], []])
  expect(audio.calls.at(-1)).toBe('clear')
  audio.calls.length = 0
  await player.playLive(playing)
  expect(audio.calls).toContain('load /media/live/pod/1 at 0')
  expect(player.lastEpisode()).toBeNull()
})

test('the preferred form is the highest video, the smallest sound, or the main one where nothing fits', () => {
  const main = { type: 'audio/mpeg', size: 1000 }
  const forms = [
    form('low', { size: 400 }),
    form('lower', { size: 300 }),
    form('large', { size: 5000 }),
    form('unknown'),
    form('video', { type: 'video/mp4', size: 200, height: 480 }),
    form('hd', { type: 'video/mp4', size: 9000, height: 1080 }),
  ]
  const ids = (of: typeof main) =>
    (['smallest', 'video', 'audio', null] as const).map(one => findPreferred(one, of, forms)?.id ?? 'main')
  expect(ids(main)).toEqual(['lower', 'hd', 'main', 'main'])
  expect(ids({ type: 'video/mp4', size: 9000 })).toEqual(['video', 'main', 'low', 'main'])
  expect(findPreferred('smallest', main, [])).toBeNull()
})
