import { signal } from '@preact/signals-core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import type { EpisodeWrapper, NextUp, PodcastOverview } from '../../../src/shared/api/episode'
import type { MissingFiles, Podcast } from '../../../src/shared/api/podcast'
import { AppProvider } from '../../../src/ui/app-context'
import { chatAddress, FeedLinks, mapAddress, Payments, Persons } from '../../../src/ui/library/episodes/feed-extras'
import { Soundbites } from '../../../src/ui/library/episodes/episode-extras'
import { DownloadAllDialog } from '../../../src/ui/pages/episodes/dialog-parts'
import { Podroll } from '../../../src/ui/pages/episodes/about-dialog'
import { PlayNewest, PrimaryAction } from '../../../src/ui/pages/episodes/podcast-header'
import { settled } from '../../support/settled'

const podcast = { id: 'pod', name: 'Lighthouse Radio' } as Podcast
const episode = (name: string, position = 0) =>
  ({
    podcastEpisode: { id: name, name, total_time: 1800 },
    podcastHistoryItem: { position, total: 1800, finished: false },
  }) as unknown as EpisodeWrapper

/** The player of a page, and what it was told to do. */
function startPlayer() {
  const log: string[] = []
  const player = {
    current: signal<{ podcastId: string; episode: { id: string } } | null>(null),
    isPlaying: signal(false),
    position: signal(0),
    duration: signal(0),
    toggle: () => void log.push('toggle'),
    pause() {
      player.isPlaying.value = false
      log.push('pause')
    },
    play: async ({ podcastEpisode }: EpisodeWrapper) => void log.push(`play ${podcastEpisode.name}`),
  }
  return { player, log }
}

function showActions(next: NextUp['reason'] | null, { newest = 'newest', position = 0 } = {}) {
  const { player, log } = startPlayer()
  const overview = {
    next: next && { reason: next, episode: episode('wanted', position) },
    newest: episode(newest),
  } as PodcastOverview
  render(
    <AppProvider value={{ player, failed: () => undefined } as never}>
      <PrimaryAction podcast={podcast} overview={overview} />
      <PlayNewest podcast={podcast} overview={overview} />
    </AppProvider>,
  )
  const names = () => screen.queryAllByRole('button').map(button => button.textContent)
  return { player, log, names }
}

test.each([
  ['begun', 'continue-left'],
  ['first', 'play-first-part'],
  ['next', 'play-next-part'],
  ['newest', 'play-newest'],
  ['again', 'play-something'],
] as const)('an episode that comes next as %s is played by %s', (reason, text) => {
  const { log, names } = showActions(reason, { position: reason === 'begun' ? 600 : 0 })
  expect(names()).toEqual([text, 'play-newest'])
  fireEvent.click(screen.getAllByRole('button')[0]!)
  expect(log).toEqual(['play wanted'])
})

test('an episode that waits in the player at its beginning changes neither button', () => {
  const { player, names } = showActions('newest', { newest: 'wanted' })
  act(() => (player.current.value = { podcastId: 'pod', episode: { id: 'other' } }))
  expect(names()).toEqual(['play-newest'])
  act(() => (player.isPlaying.value = true))
  expect(names()).toEqual(['pause', 'play-newest'])
})

test('the newest episode has no second button where the first one plays it', () => {
  expect(showActions('newest', { newest: 'wanted' }).names()).toEqual(['play-newest'])
})

test('while the player has an episode of the podcast, the button continues and pauses that', () => {
  const { player, log, names } = showActions('newest')
  act(() => {
    player.current.value = { podcastId: 'pod', episode: { id: 'other' } }
    player.duration.value = 600
  })
  // Nothing of it was played yet.
  expect(names()[0]).toBe('play-newest')
  act(() => void (player.position.value = 60))
  expect(names()[0]).toBe('continue-left')
  act(() => void (player.isPlaying.value = true))
  expect(names()[0]).toBe('pause')
  fireEvent.click(screen.getByText('pause'))
  expect(log).toEqual(['toggle'])
})

test('a podcast without episodes offers nothing to play', () => {
  const { player, log } = startPlayer()
  const overview = { next: null, newest: null } as PodcastOverview
  render(
    <AppProvider value={{ player } as never}>
      <PrimaryAction podcast={podcast} overview={overview} />
      <PlayNewest podcast={podcast} overview={overview} />
    </AppProvider>,
  )
  expect([screen.queryAllByRole('button'), log]).toEqual([[], []])
})

function showSoundbite() {
  const { player, log } = startPlayer()
  render(
    <AppProvider value={{ player } as never}>
      <Soundbites
        episodeId="here"
        soundbites={[{ startTime: 60, duration: 30, title: 'Storm' }]}
        onPlayAt={seconds => {
          log.push(`play at ${seconds}`)
          player.current.value = { podcastId: 'pod', episode: { id: 'here' } }
          player.position.value = seconds
          player.isPlaying.value = true
        }}
      />
    </AppProvider>,
  )
  act(() => fireEvent.click(screen.getByRole('button')))
  return { player, log }
}

test('a soundbite plays from its beginning to its end', async () => {
  const { player, log } = showSoundbite()
  player.position.value = 89
  expect(log).toEqual(['play at 60'])
  player.position.value = 90.2
  await settled()
  expect(log).toEqual(['play at 60', 'pause'])
  player.isPlaying.value = true
  player.position.value = 91
  expect(log).toHaveLength(2)
})

test('whoever leaves a soundbite listens on', async () => {
  const { player, log } = showSoundbite()
  player.position.value = 400
  await settled()
  player.position.value = 91
  expect(log).toEqual(['play at 60'])
})

async function showDownloadAll(missing: MissingFiles) {
  const log: string[] = []
  const undos: (() => void)[] = []
  const app = {
    api: {
      podcasts: {
        missing: async () => missing,
        downloadAll: async () => ({ queued: missing.episodes, undo: 'token' }),
        undoDownloadAll: async (_: string, undo: string) => {
          log.push(`undo ${undo}`)
          return { affected: 1 }
        },
      },
    },
    toasts: {
      done(text: string, undo?: { run: () => void }) {
        log.push(text)
        if (undo) undos.push(undo.run)
      },
    },
    failed: (error: unknown) => void log.push(String(error)),
  }
  render(
    <AppProvider value={app as never}>
      <DownloadAllDialog podcast={podcast} onClose={() => undefined} />
    </AppProvider>,
  )
  await act(settled)
  return { log, undos }
}

test('downloading all tells beforehand what it takes, and offers to undo it', async () => {
  const { log, undos } = await showDownloadAll({ episodes: 3, bytes: 5000, unknownSizes: 0, freeBytes: 1000 })
  screen.getByText(/download-all-size/)
  screen.getByText('download-all-no-room')
  fireEvent.submit(document.querySelector('form')!)
  await act(settled)
  expect(log).toEqual(['downloads-queued'])
  undos[0]!()
  await act(settled)
  expect(log).toEqual(['downloads-queued', 'undo token', 'downloads-cancelled'])
})

test('with every episode on the server there is nothing to download', async () => {
  await showDownloadAll({ episodes: 0, bytes: 0, unknownSizes: 0, freeBytes: null })
  screen.getByText('all-downloaded')
})

test('what a feed says is shown only where it says it', () => {
  const { container, rerender } = render(
    <>
      <Persons persons={[]} />
      <FeedLinks />
      <Payments value={{ recipients: [] }} />
    </>,
  )
  expect(container.textContent).toBe('')
  const recipients = [
    { name: 'Mara', type: 'lnaddress', address: 'mara@pay.example', split: 3 },
    { name: 'A node', type: 'node', address: '02ab', split: 1 },
    { name: 'Bad', type: 'lnaddress', address: 'javascript:alert(1)', split: 1, fee: true },
  ]
  rerender(<Payments value={{ type: 'lightning', suggested: '0.00000005000', recipients }} />)
  expect([...container.querySelectorAll('a')].map(({ href }) => href)).toEqual(['lightning:mara@pay.example'])
  expect([...container.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
    'Mara75%',
    'A node25%',
    'Badpayment-fee · 1%',
  ])
  expect(container.textContent).toContain('payment-suggested')
})

test('a place leads to a map, and a chat to a program for its protocol', () => {
  expect(mapAddress('geo:30.2672,97.7431', 'R113314')).toBe('https://www.openstreetmap.org/relation/113314')
  expect(mapAddress('geo:-30.2672,97.7431,10;u=5')).toContain('mlat=-30.2672&mlon=97.7431')
  expect([mapAddress(), mapAddress('geo:here', 'X1')]).toEqual([null, null])
  const room = { server: 'chat.example', space: '#lamp' }
  expect(chatAddress({ ...room, protocol: 'irc' })).toBe('irc://chat.example/%23lamp')
  expect(chatAddress({ ...room, protocol: 'matrix', space: '#lamp:chat.example' })).toBe(
    'https://matrix.to/#/%23lamp%3Achat.example',
  )
  expect(chatAddress({ ...room, protocol: 'xmpp' })).toBe('xmpp:%23lamp@chat.example?join')
  expect(chatAddress({ ...room, protocol: 'javascript' })).toBeNull()
  expect(chatAddress({ ...room, protocol: 'irc', server: 'x/../y' })).toBeNull()
})

test('a recommended podcast that is named by its guid alone is looked up, and added by its address', async () => {
  const asked: string[] = []
  const added: string[] = []
  const app = {
    client: {
      get: async (path: string) => {
        asked.push(path)
        return { feedUrl: 'https://h.example/feed.xml', title: 'Harbour Talk' }
      },
    },
    api: { podcasts: { list: async () => [{ id: 'p', name: 'Tides', guid: 'known', rssfeed: '' }] } },
    library: {
      all: signal([]),
      add: async (url: string) => void added.push(url),
    },
    session: { mayAdd: signal(true), config: signal({ podindexConfigured: true }) },
    failed: () => undefined,
  }
  render(
    <AppProvider value={app as never}>
      <Podroll podcasts={[{ feedGuid: 'a b' }, { feedGuid: 'known' }]} onChosen={() => undefined} />
    </AppProvider>,
  )
  await act(settled)
  expect(screen.getByText('Harbour Talk')).toBeDefined()
  expect(screen.getByText('Tides')).toBeDefined()
  expect(asked).toEqual(['/discover/guid/a%20b'])
  const [add, ...others] = screen.getAllByRole('button')
  expect(others).toEqual([])
  fireEvent.click(add!)
  await act(settled)
  expect(added).toEqual(['https://h.example/feed.xml'])
})
