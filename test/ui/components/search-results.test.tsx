import { signal } from '@preact/signals-core'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { AppProvider } from '../../../src/ui/app-context'
import { HitRow } from '../../../src/ui/library/search/hit-row'
import { wrapper } from '../../support/player'

test('what was said names its episode and its podcast, and shows the cover', () => {
  const { podcastEpisode, ...history } = wrapper()
  const episode = { ...podcastEpisode, image_url: '', local_image_url: '' }
  const hit = {
    ...history,
    podcastEpisode: episode,
    podcastName: 'Lighthouse Radio',
    snippet: 'a lamp',
    startMs: 61_000,
  }
  const app = { player: { current: signal(null), isPlaying: signal(false) } }
  const { container } = render(
    <AppProvider value={app as never}>
      <HitRow hit={{ kind: 'said', hit: hit as never }} words="lamp" actions={{} as never} />
    </AppProvider>,
  )
  expect(screen.getByText('01:01 · Fog · Lighthouse Radio')).toBeDefined()
  expect(container.querySelector('.cover')).not.toBeNull()
})
