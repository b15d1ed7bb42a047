import { startClock, startTestApp, withPasswords } from './app'
import { rss } from './builders'
import { startFeedHost } from './feed-host'
import { refresh } from './refreshing'
import { toneMp3 } from './tones'

type Options = Omit<NonNullable<Parameters<typeof startTestApp>[0]>, 'now'> & {
  file?: Uint8Array
  type?: string
  extension?: string
  title?: string
  isDownloaded?: boolean
}

/** A server with one downloaded episode of twelve seconds of tones, which anna and the admin root may hear. */
export async function startClipLibrary(options: Options = {}) {
  const {
    file = toneMp3(12),
    type = 'audio/mpeg',
    extension = 'mp3',
    title = 'Fog',
    isDownloaded = true,
    ...rest
  } = options
  const host = startFeedHost()
  const clock = startClock()
  const app = await startTestApp({ ...rest, now: clock, env: { ...withPasswords, ...rest.env } })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const anna = await app.signUp('anna')
  const enclosure = host.file(`/fog.${extension}`, file, { type })
  const items = [{ title, enclosure, type, extra: '<link>https://lighthouse.example/fog</link>' }]
  const feedWith = (extra: string) => host.feed('/feed.xml', rss({ title: 'Lighthouse', extra, items }))
  const podcast = await root.podcasts.add(feedWith(''))
  const { data } = await root.podcasts.episodes(podcast.id, {}, null)
  const episode = data[0]!.podcastEpisode
  if (isDownloaded) {
    await root.episodes.download(episode.episode_id)
    await app.context.downloads.settled()
  }
  return {
    app,
    clock,
    root,
    anna,
    podcast: podcast.id,
    episode: episode.id,
    eid: episode.episode_id,
    /** Puts something into the feed, and lets the server read it. */
    publish: async (extra: string) => {
      feedWith(extra)
      await refresh(app, podcast.id)
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}
