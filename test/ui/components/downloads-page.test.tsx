import { signal } from '@preact/signals-core'
import { act, render, screen, within } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { Router } from 'wouter'
import { AppProvider } from '../../../src/ui/app-context'
import { DownloadsPage } from '../../../src/ui/pages/downloads/downloads-page'
import { settled } from '../../support/settled'

const download = (episodeName: string, state: string, errorCode: string | null = null) => ({
  id: episodeName,
  episode_id: `eid-${episodeName}`,
  podcastId: 'pod',
  episodeName,
  podcastName: 'Lighthouse Radio',
  state,
  attempts: errorCode === null ? 0 : 3,
  receivedBytes: 0,
  totalBytes: 80_000_000,
  errorCode,
  message: errorCode === null ? null : 'The host answered 503.',
  status: null,
  nextAttemptAt: null,
})

/** Shows the page with these downloads; gives the headings and, below each, the episodes. */
async function sectionsOf(items: readonly ReturnType<typeof download>[]) {
  const page = async (data: unknown) => ({ data })
  const app = {
    api: { downloads: { page: () => page({ items, paused: false }) }, yourEpisodes: { page: () => page([]) } },
    client: {},
    downloads: { byEpisode: signal(new Map()), load: async () => undefined },
    transcriptions: { byEpisode: signal(new Map()), gaps: signal(0) },
    session: { config: signal({ transcriptionEnabled: false }), mayUpload: signal(true) },
    library: { byId: signal(new Map()) },
    player: { current: signal(null), isPlaying: signal(false), position: signal(0), duration: signal(0) },
    failed: () => undefined,
  }
  render(
    <Router>
      <AppProvider value={app as never}>
        <DownloadsPage />
      </AppProvider>
    </Router>,
  )
  await act(settled)
  return Object.fromEntries(
    screen.getAllByRole('heading', { level: 2 }).map(heading => [
      heading.textContent!.replace(/[\s\d]+$/, ''),
      within(heading.closest('section')!)
        .getAllByRole('listitem')
        .map(row => items.find(({ episodeName }) => row.textContent!.includes(episodeName))!.episodeName),
    ]),
  )
}

test('what failed and what waits after a failure needs somebody; what only has not had its turn waits', async () => {
  const sections = await sectionsOf([
    download('Fog', 'running'),
    download('Rain', 'waiting'),
    download('Snow', 'waiting', 'media-unreachable'),
    download('Hail', 'failed', 'media-unreachable'),
    download('Dew', 'paused'),
    download('Ice', 'failed'),
  ])
  expect(sections).toEqual({ 'needs-you': ['Snow', 'Hail', 'Ice'], running: ['Fog'], waiting: ['Rain', 'Dew'] })
})
