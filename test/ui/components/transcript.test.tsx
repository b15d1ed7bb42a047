import { signal } from '@preact/signals-core'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { ApiError } from '../../../src/ui/api/client'
import { AppProvider } from '../../../src/ui/app-context'
import { Chapters } from '../../../src/ui/library/episodes/chapters'
import { TranscriptOrNone } from '../../../src/ui/library/episodes/transcript'
import { Captions } from '../../../src/ui/player/picture'

const named = (language: string | null, more = {}) => ({
  id: `t-${language}`,
  source: 'feed',
  model: null,
  language,
  mimeType: 'text/vtt',
  captions: null,
  status: 'parsed',
  error: null,
  cause: null,
  ...more,
})

async function show(
  content: React.ReactNode,
  all: readonly ReturnType<typeof named>[],
  said: Record<string, string>,
  mayUpload = false,
) {
  const video = document.createElement('video')
  const app = {
    video,
    session: { mayUpload: signal(mayUpload) },
    transcriptions: { byEpisode: signal(new Map()), gaps: signal(0) },
    client: { get: async () => ({ obstacle: 'not-downloaded', current: null }) },
    layers: { open: () => () => undefined },
    api: {
      skipMarks: { ofEpisode: async () => [] },
      episodes: {
        chapters: async () => [],
        chapterFiles: async () => all,
        transcripts: async () => all,
        transcript: async (_: string, language?: string) => {
          const text = said[language ?? 'en']
          if (text === undefined) throw new ApiError(404, 'transcript-not-found', '')
          const segments = [{ idx: 0, startMs: 1000, endMs: null, speaker: null, text }]
          return { ...named(language ?? 'en'), segments }
        },
      },
    },
  }
  await act(async () => render(<AppProvider value={app as never}>{content}</AppProvider>))
  return video
}

const episode = { id: 'e', status: false, has_transcript: true }
const transcript = <TranscriptOrNone episode={episode} onPlayAt={() => undefined} />

test('the language of a transcript can be chosen where there are several', async () => {
  await show(transcript, [named('en'), named('de')], { en: 'Ahoy', de: 'Moin' })
  expect(document.body.textContent).toContain('Ahoy')
  await act(async () => fireEvent.change(screen.getByRole('combobox'), { target: { value: 'de' } }))
  expect(document.body.textContent).toContain('Moin')
})

test('of one language there is no choice', async () => {
  await show(transcript, [named('en')], { en: 'Ahoy' })
  expect(screen.queryByRole('combobox')).toBeNull()
})

test('a transcript that is not understood says why, and a chapter file does', async () => {
  await show(transcript, [named(null, { status: 'failed', cause: 'status:404' })], {})
  expect(document.body.textContent).toContain('text-cause-status')
  await show(
    <Chapters episodeId="e" unread={null} onPlayAt={() => undefined} />,
    [named(null, { cause: 'other:html' })],
    {},
  )
  expect(document.body.textContent).toContain('text-cause-other')
})

test('an uploader is told why a transcript that the publisher names is not here, and not that there is none', async () => {
  const failed = [named(null, { status: 'failed', cause: 'status:404' })]
  await show(transcript, failed, {}, true)
  expect(document.body.textContent).toContain('text-cause-status')
  await screen.findByText(/transcript-needs-file/)
  expect(document.body.textContent).not.toContain('transcript-none')
})

test('captions of a video are shown by choice, also of the next video, and can be turned off', async () => {
  localStorage.removeItem('player.captions')
  const captions = 'https://pod.example/media/transcripts/1.vtt?apiKey=k'
  const video = await show(<Captions episodeId="e" />, [named('en'), named('de', { captions })], {})
  const choose = (place: number) => {
    fireEvent.click(screen.getByRole('button', { name: 'captions' }))
    fireEvent.click(screen.getAllByRole('menuitemradio')[place]!)
  }
  expect(video.querySelector('track')).toBeNull()
  choose(0)
  expect(video.querySelector('track')!.getAttribute('src')).toBe('/media/transcripts/1.vtt?apiKey=k')
  cleanup()
  const next = 'https://pod.example/media/transcripts/2.vtt'
  const other = await show(<Captions episodeId="f" />, [named('de', { captions: next }), named('en', { captions })], {})
  expect(other.querySelector('track')!.getAttribute('src')).toBe('/media/transcripts/2.vtt')
  choose(2)
  expect(other.querySelector('track')).toBeNull()
  expect(localStorage.getItem('player.captions')).toBeNull()
})
