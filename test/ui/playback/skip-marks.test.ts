import { signal } from '@preact/signals-core'
import { expect, test } from 'bun:test'
import type { Chapter } from '../../../src/shared/api/texts'
import type { SkipMark } from '../../../src/shared/api/marks'
import { createSkipMarks } from '../../../src/ui/playback/skip-marks'
import { createToasts } from '../../../src/ui/state/toasts'
import { startPlayer, wrapper } from '../../support/player'
import { settled } from '../../support/settled'

const chapter = (startTime: number, endTime: number, title: string, advertising = false) =>
  ({ id: title, startTime, endTime, title, advertising }) as Chapter

/**
 * A player whose marked parts are those of an episode with a sponsor from 100 to 160, and a server that keeps marks.
 */
async function startMarks({ stored = [] as SkipMark[], preferences = { skipMarked: true } } = {}) {
  const toasts = createToasts()
  const server = [...stored]
  const failures: unknown[] = []
  const chapters = {
    all: signal([chapter(0, 100, 'One'), chapter(100, 160, 'Sponsor', true), chapter(160, 600, 'Two')]),
  }
  const world = startPlayer({ preferences, markedParts: () => marks.toSkip.value })
  const marks = createSkipMarks({
    player: world.player,
    chapters,
    toasts,
    failed: error => void failures.push(error),
    load: async () => [...server],
    api: {
      async add(mark) {
        if (mark.end > 590) throw new Error('refused')
        const added = { ...mark, id: `${server.length + 1}` }
        server.push(added)
        return added
      },
      remove: async id => void server.splice(0, server.length, ...server.filter(mark => mark.id !== id)),
    },
  })
  await world.player.play(wrapper(), 'Pod')
  await settled()
  const press = async (label = 'undo') => {
    expect(toasts.all.value.at(-1)?.action?.label).toBe(label)
    toasts.all.value.at(-1)!.action!.run()
    await settled()
  }
  const shown = () => marks.parts.value.map(({ start, end }) => `${start}-${end}`)
  return { ...world, marks, server, toasts, failures, press, shown, at: world.audio.events.onTime }
}

test('a skipped part is named, and one press plays it, for as long as the page is open', async () => {
  const { player, marks, audio, toasts, press, at } = await startMarks()
  marks.announce({ part: marks.toSkip.value[0]!, at: 100, playing: player.current.value! })
  expect(toasts.all.value.length).toBe(1)
  await press()
  expect([player.position.value, audio.calls.filter(call => call.startsWith('seek'))]).toEqual([100, ['seek 100']])
  player.seek(90)
  at(101)
  expect(audio.calls.filter(call => call === 'seek 160')).toEqual([])
  expect([marks.toSkip.value, marks.parts.value.length]).toEqual([[], 1])
})

test('taking back what ended an episode returns to it from the next one', async () => {
  const { player, marks, press } = await startMarks()
  const playing = player.current.value!
  const next = wrapper()
  await player.play({ ...next, podcastEpisode: { ...next.podcastEpisode, episode_id: 'next', id: 'next' } }, 'Other')
  marks.announce({ part: { start: 540, end: 600, titles: [] }, at: 540, playing })
  await press()
  expect([player.current.value?.episode.id, player.position.value]).toEqual(['row', 540])
})

test('two presses mark a part, in either order, and it can be taken back', async () => {
  const { player, marks, server, press, shown } = await startMarks()
  player.seek(300)
  await marks.markHere()
  expect(marks.begunAt.value).toBe(300)
  player.seek(240)
  await marks.markHere()
  expect([marks.begunAt.value, shown(), server.length]).toEqual([null, ['100-160', '240-300'], 1])
  await press()
  expect([shown(), server]).toEqual([['100-160'], []])
})

test('a part that was begun can be given up, and ends with its episode', async () => {
  const { player, marks, server, press } = await startMarks()
  await marks.markHere()
  await press('cancel')
  expect(marks.begunAt.value).toBe(null)
  await marks.markHere()
  await marks.markHere()
  expect([marks.begunAt.value, server]).toEqual([null, []])
  await marks.markHere()
  const next = wrapper()
  await player.play({ ...next, podcastEpisode: { ...next.podcastEpisode, episode_id: 'next', id: 'next' } }, 'Other')
  expect(marks.begunAt.value).toBe(null)
})

test('a chapter is said to be advertising, or not, and the later word counts', async () => {
  const { marks, shown } = await startMarks()
  const [one, sponsor] = [chapter(0, 100, 'One'), chapter(100, 160, 'Sponsor', true)]
  await marks.markChapter(sponsor, false)
  expect(shown()).toEqual([])
  await marks.markChapter(one, true)
  await marks.markChapter(sponsor, true)
  expect(shown()).toEqual(['0-160'])
  expect(marks.marks.value.length).toBe(2)
})

test('a removed mark comes back on request, and a refused one is reported', async () => {
  const { marks, press, shown, failures } = await startMarks({
    stored: [{ id: 'm', episode: 'row', start: 200, end: 230, skip: true }],
  })
  expect(shown()).toEqual(['100-160', '200-230'])
  await marks.remove(marks.marks.value[0]!)
  expect(shown()).toEqual(['100-160'])
  await press()
  expect(shown()).toEqual(['100-160', '200-230'])
  await marks.markChapter(chapter(500, 599, 'Late'), true)
  expect([shown().length, failures.length]).toEqual([2, 1])
})

test('a mark that comes back while another episode plays stays out of that one', async () => {
  const { player, marks, server, press, shown } = await startMarks({
    stored: [{ id: 'm', episode: 'row', start: 200, end: 230, skip: true }],
  })
  await marks.remove(marks.marks.value[0]!)
  const next = wrapper()
  next.podcastEpisode = { ...next.podcastEpisode, id: 'other', episode_id: 'other' }
  server.length = 0
  await player.play(next, 'Pod')
  await settled()
  await press()
  expect([server.map(mark => mark.episode), marks.marks.value, shown()]).toEqual([['row'], [], ['100-160']])
})

test('marks that were made on another device are fetched', async () => {
  const { marks, server, shown } = await startMarks()
  server.push({ id: 'm', episode: 'row', start: 200, end: 230, skip: true })
  marks.changed('another')
  await settled()
  expect(shown()).toEqual(['100-160'])
  marks.changed('row')
  await settled()
  expect(shown()).toEqual(['100-160', '200-230'])
})

test('the buttons for chapters pass over what is skipped, and only then', async () => {
  const { player, marks } = await startMarks()
  expect(marks.stops.value.map(({ title }) => title)).toEqual(['One', 'Two'])
  player.setSkipsMarked(false)
  expect(marks.stops.value.map(({ title }) => title)).toEqual(['One', 'Sponsor', 'Two'])
})
