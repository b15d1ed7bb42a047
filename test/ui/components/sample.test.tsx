import { signal } from '@preact/signals-core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { AppProvider } from '../../../src/ui/app-context'
import { SampleButton } from '../../../src/ui/library/podcasts/feed-preview'
import type { Sample } from '../../../src/ui/state/shell'

const sample = signal<Sample | null>(null)
const hit = { feedUrl: 'http://localhost/fog.xml', title: 'Fog Radio', author: '', image: null, podcastId: null }

/** A sample whose address the test finds, and what plays then. */
function start() {
  const found = Promise.withResolvers<string>()
  const played: string[] = []
  const player = { isPlaying: signal(false), pause: () => void (player.isPlaying.value = false) }
  const shown = render(
    <AppProvider value={{ player, sample } as never}>
      <SampleButton
        name="Fog"
        hit={hit}
        find={() => found.promise}
        onFailed={error => void played.push(String(error))}
      />
    </AppProvider>,
  )
  shown.container.querySelector('audio')!.play = async () => void played.push('sample')
  fireEvent.click(screen.getByRole('button'))
  const find = () => act(async () => found.resolve('http://localhost/fog.mp3'))
  return { player, played, find, leave: shown.unmount }
}

test('a sample plays once its address is found, and the player’s bar can name and stop it', async () => {
  const { played, find, leave } = start()
  await find()
  expect(played).toEqual(['sample'])
  expect(sample.value).toMatchObject({ name: 'Fog', hit })
  leave()
  expect(sample.value).toBeNull()
})

test('a sample whose page is left before its address is found stays silent', async () => {
  const { played, find, leave } = start()
  leave()
  await find()
  expect(played).toEqual([])
})

test('a sample does not play over an episode that has begun in the meantime', async () => {
  const { player, played, find } = start()
  act(() => void (player.isPlaying.value = true))
  await find()
  expect(played).toEqual([])
})

test('a sample that can’t be found is reported, unless another was pressed in the meantime', async () => {
  const failed: string[] = []
  const searches = { Fog: Promise.withResolvers<string>(), Ebb: Promise.withResolvers<string>() }
  const player = { isPlaying: signal(false), pause: () => undefined }
  render(
    <AppProvider value={{ player, sample } as never}>
      {(['Fog', 'Ebb'] as const).map(name => (
        <SampleButton
          key={name}
          name={name}
          hit={hit}
          find={() => searches[name].promise}
          onFailed={() => failed.push(name)}
        />
      ))}
    </AppProvider>,
  )
  for (const button of screen.getAllByRole('button')) fireEvent.click(button)
  await act(async () => Object.values(searches).forEach(({ reject }) => reject(new Error('nothing to play'))))
  expect(failed).toEqual(['Ebb'])
})
