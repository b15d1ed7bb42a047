import { apisOf } from './apis'
import { noise, rss, silentMp3 } from './builders'
import { startFeedHost } from './feed-host'
import { startSlowHost } from './slow-host'

export type SmallLibrary = Awaited<ReturnType<typeof plantSmallLibrary>>

const MINUTE = 60

/** The hosts of the small library: they live as long as it is looked at, for one download never comes to its end. */
export async function startLibraryHosts() {
  const host = startFeedHost()
  const slow = await startSlowHost(noise(60_000_000), () => 1000)
  return {
    host,
    slow,
    [Symbol.dispose]() {
      slow[Symbol.dispose]()
      host.stop()
    },
  }
}
export type LibraryHosts = Awaited<ReturnType<typeof startLibraryHosts>>

/**
 * Plants some of everything: episodes played, failing and being downloaded, users, invites. Returns the ids for
 * addresses, and a feed that nobody has added.
 */
export async function plantSmallLibrary({ host, slow }: LibraryHosts, origin: string, authorization: string) {
  const apis = apisOf(origin, authorization)
  await apis.system.editSettings({ podcastPrefill: 0 })
  const lighthouse = await apis.podcasts.add(host.feed('/lighthouse.xml', rss({ items: talkative(host) })))
  await apis.podcasts.favour(lighthouse.id, true)
  const { data } = await apis.podcasts.episodes(lighthouse.id, {}, null)
  const [fog, lamp, keeper] = data.map(({ podcastEpisode }) => podcastEpisode)
  await apis.episodes.like(fog!.id, true)
  // It is a favourite, so there is a notification of it, too.
  await apis.episodes.download(keeper!.episode_id)
  for (const { episode_id, time } of [
    { ...lamp!, time: MINUTE },
    { ...fog!, time: MINUTE / 2 },
  ]) {
    const progress = { podcastEpisodeId: episode_id, total: MINUTE }
    await apis.playback.save({ ...progress, time: 1, timestamp: new Date(Date.now() - time * 1000).toISOString() })
    await apis.playback.save({ ...progress, time })
  }

  const tag = await apis.tags.create({ name: 'Bedtime', color: 'Blue' })
  await apis.tags.assign(tag.id, lighthouse.id)
  const items = [{ episode: lamp!.id }, { episode: fog!.id }]
  const playlist = await apis.playlists.create({ name: 'On the train', items })
  await apis.queue.add({ episode: lamp!.id, at: 'last' })

  const stories = rss({
    title: 'Stories after Dark',
    items: [1, 2].map(part => ({ title: `A long night, part ${part}`, enclosure: `${slow.address}?part=${part}` })),
  })
  const { id: storiesId } = await apis.podcasts.add(host.feed('/stories.xml', stories))
  await apis.podcasts.downloadAll(storiesId)
  const orbital = await apis.podcasts.add(host.feed('/orbital.xml', rss({ title: 'Orbital' })))
  host.on('/orbital.xml', () => new Response('', { status: 503 }))
  await apis.podcasts.refresh(orbital.id)

  const { id: inviteId } = await apis.invites.create({ role: 'user', explicitConsent: false })
  await apis.users.signUp({ username: 'Nils', password: 'Corr3ctHorse', inviteId })
  const invite = await apis.invites.create({ role: 'uploader', explicitConsent: true })
  return { podcast: lighthouse.id, episode: fog!.id, playlist: playlist.id, invite: invite.id, feed: hostUnknown(host) }
}

/** A feed that nobody has added. */
const hostUnknown = (host: LibraryHosts['host']) =>
  host.feed('/orchard.xml', rss({ title: 'The Quiet Orchard', items: [{ title: 'Grafting in the rain' }] }))

/** Episodes with notes, chapters and a transcript. */
function talkative(host: LibraryHosts['host']) {
  const chapters = [
    { startTime: 0, title: 'Hello' },
    { startTime: 20, title: 'The storm', url: 'https://lighthouse.example/storm' },
  ]
  host.on('/chapters.json', () => Response.json({ chapters }))
  const lines = Array.from(
    { length: 50 },
    (_, second) => `00:00:${10 + second}.000 --> 00:00:${11 + second}.000\n<v Mara>Sentence ${second} about lamps`,
  )
  host.on('/lines.vtt', () => new Response(`WEBVTT\n\n${lines.join('\n\n')}`))
  return ['Fog signals', 'A lamp of a thousand candles', 'The keeper who counted ships'].map((title, index) => ({
    title,
    enclosure: host.file(`/media/${index}.mp3`, silentMp3(MINUTE)),
    duration: String(MINUTE),
    notes: '<h2>Notes</h2><p>About fog, and <a href="https://lighthouse.example/fog">where it comes from</a>.</p>',
    extra: `<podcast:chapters url="${host.origin}/chapters.json" type="application/json+chapters"/>
      <podcast:transcript url="${host.origin}/lines.vtt" type="text/vtt" language="en"/>`,
  }))
}
