import { rss, silentMp3, type ItemSpec } from '../../test/support/builders'
import type { FeedHost } from '../../test/support/feed-host'
import type { Api } from '../../src/ui/api'
import { notes, shows, transcript } from '../../src/server/demo/shows'
import { paintCover } from '../../src/server/demo/feeds'

/**
 * Plants the demo library through the API: subscriptions, favourites, tags, playlists, what was heard when, one feed
 * that fails.
 */
export async function plantDemo(
  host: FeedHost,
  { episodes, podcasts, playback, playlists, system, tags, timeline }: Api,
  now = Date.now(),
) {
  await system.editSettings({ podcastPrefill: 2 })
  const audio = silentMp3(120)
  host.on('/transcript.vtt', () => new Response(transcript))
  for (const [index, show] of shows.entries()) {
    const image = host.file(`/covers/${index}.png`, paintCover(index, show.ground, show.ink), { type: 'image/png' })
    const items = Array.from({ length: show.count }, (_, number): ItemSpec => {
      const title = show.titles[number % show.titles.length]!
      return {
        guid: `${index}-${number}`,
        title: number < show.titles.length ? title : `${title} (${Math.floor(number / show.titles.length) + 1})`,
        enclosure: host.file(`/media/${index}/${number}.mp3`, audio),
        notes: notes(show.about, title),
        date: new Date(now - (number * show.everyDays + index * 0.37 + 0.1) * 86_400_000).toUTCString(),
        duration: String(1500 + ((number * 397 + index * 811) % 3000)),
        ...(index === 0 && {
          extra: `<podcast:transcript url="${host.origin}/transcript.vtt" type="text/vtt" language="en"/>`,
        }),
      }
    })
    const extra = `<itunes:type>${show.name === 'Night Bus' ? 'serial' : 'episodic'}</itunes:type><podcast:funding url="https://example.com/give">Support ${show.author}</podcast:funding>`
    const body = rss({ title: show.name, image, items, extra })
      .replace('Stories from the coast', show.about)
      .replace('Mara Field', show.author)
    const podcast = await podcasts.add(host.feed(`/feeds/${index}.xml`, body))
    if (index % 3 === 0) await podcasts.favour(podcast.id, true)
    const { data } = await podcasts.episodes(podcast.id, { limit: 10 }, null)
    for (const [place, { podcastEpisode: episode }] of data.entries()) {
      const isFinished = place > 3 && (place + index) % 2 === 0
      const isBegun = place === 2 && index % 2 === 0
      if (!isFinished && !isBegun) continue
      const time = isFinished ? episode.total_time : Math.floor(episode.total_time * (0.2 + (index % 5) * 0.13))
      const endedAt = now - index * 3_600_000 - place * 31 * 3_600_000
      const progress = { podcastEpisodeId: episode.episode_id, total: episode.total_time }
      // Heard from beginning to end: the statistics count what lies between two reports.
      await playback.save({ ...progress, time: 1, timestamp: new Date(endedAt - time * 1000).toISOString() })
      await playback.save({ ...progress, time, timestamp: new Date(endedAt).toISOString() })
    }
  }
  host.on('/feeds/7.xml', () => new Response('', { status: 503 }))
  const failing = (await podcasts.list()).find(podcast => podcast.name === shows[7]!.name)!
  await podcasts.refresh(failing.id)
  const all = await podcasts.list()
  for (const [place, [name, color]] of (
    [
      ['Bedtime', 'Blue'],
      ['Science', 'Green'],
      ['News', 'Red'],
    ] as const
  ).entries()) {
    const tag = await tags.create({ name, color })
    for (const [index, podcast] of all.entries()) if (index % 4 === place) await tags.assign(tag.id, podcast.id)
  }
  const { data: newest } = await timeline.page({}, null)
  const items = newest.data.map(({ podcast_episode }) => ({ episode: podcast_episode.id }))
  await playlists.create({ name: 'On the train', items: items.slice(0, 6) })
  await playlists.create({ name: 'To fall asleep', items: items.slice(5, 9) })
  for (const { podcast_episode } of newest.data.slice(0, 3)) await episodes.like(podcast_episode.id, true)
}
