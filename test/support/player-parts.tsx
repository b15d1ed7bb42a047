import { computed, signal } from '@preact/signals-core'
import { render, screen } from '@testing-library/react'
import type { Chapter } from '../../src/shared/api/texts'
import { AppProvider } from '../../src/ui/app-context'
import { chapterAt } from '../../src/ui/playback/chapters'

/** A player whose signals the test sets, and a note of what it is told. */
export function createPlayer() {
  const log: string[] = []
  const note = (name: string) => (value?: unknown) =>
    void log.push(typeof value === 'number' ? `${name} ${value}` : name)
  const player = {
    current: signal({ podcastName: 'Pod' }),
    isPlaying: signal(false),
    isWaiting: signal(false),
    position: signal(0),
    buffered: signal(0),
    skipLengths: signal({ back: 30, forward: 30 }),
    duration: signal(600),
    rate: signal(1),
    volume: signal(100),
    isMuted: signal(false),
    showsRemaining: signal(false),
    ...Object.fromEntries(
      [
        'toggle',
        'skipBack',
        'skipForward',
        'seek',
        'setVolume',
        'toggleMute',
        'cycleRate',
        'setRate',
        'toggleRemaining',
      ].map(name => [name, note(name)]),
    ),
  }
  return { player, log }
}

export const shown = (name: string) => screen.getByRole('button', { name })

const chaptersAt = (starts: readonly number[], title?: string) =>
  starts.map(startTime => ({ id: `${startTime}`, startTime, title: title ?? `at ${startTime}` }) as Chapter)

/** Shows a part of the player. `starts`: the seconds at which chapters begin; `title`: that of each. */
export function show(
  content: React.ReactNode,
  { player }: ReturnType<typeof createPlayer>,
  starts: readonly number[] = [],
  title?: string,
) {
  const all = signal(chaptersAt(starts, title))
  const chapters = { all, index: computed(() => chapterAt(all.value, player.position.value)) }
  return render(<AppProvider value={{ player, chapters, extras: signal(null) } as never}>{content}</AppProvider>)
}
