import type { Api } from '../../src/ui/api'
import type { appPasswordsApi } from '../../src/ui/api/administration'
import { rss, silentMp3, type ItemSpec } from './builders'
import { arabic, emoji, hebrew, hostileNotes, hostileTitles, longName, longWord } from './hostile-words'
import { paintCover } from '../../src/server/demo/feeds'
import type { Places } from './screens'
import type { LibraryHosts } from './small-library'

const MINUTE = 60
const HOUR = 3600
const DAY_MS = 86_400_000
const EPISODES = 10_000
const QUEUED = 40
const TAGS = 15

const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))

type Apis = Api & { appPasswords: ReturnType<typeof appPasswordsApi> }

/**
 * Plants whatever makes a layout break: words that cannot be broken, scripts from right to left, none and ten thousand
 * episodes, five hours and 20 seconds, and of every list far too much. Returns the ids for addresses.
 */
export async function plantHostileLibrary(hosts: LibraryHosts, apis: Apis, now = Date.now()): Promise<Places> {
  await apis.system.editSettings({ podcastPrefill: 0 })
  const { podcast, ids, eids } = await plantTalkative(hosts, apis, now)
  await plantDownloads(hosts, apis, eids[hostileTitles.length]!)
  const [empty, failing] = await plantOthers(hosts, apis, now)
  for (const id of [podcast, failing, empty]) await apis.podcasts.favour(id, true)
  for (const index of times(TAGS, index => index)) {
    const tag = await apis.tags.create({ name: `${index} ${longName.slice(0, 60)}`, color: 'Green' })
    await apis.tags.assign(tag.id, podcast)
  }
  const long = await apis.tags.create({ name: longWord.slice(0, 100), color: 'Red' })
  await apis.tags.assign(long.id, podcast)

  for (const id of ids.slice(0, 12)) await apis.episodes.like(id, true)
  await playSome(apis, eids, now)
  for (const [index, title] of hostileTitles.entries())
    await apis.bookmarks.add({ episode: ids[0]!, time: index * 1799, note: title })
  const items = ids.slice(0, QUEUED).map(episode => ({ episode }))
  await apis.queue.reorder({ items })
  const playlist = await apis.playlists.create({ name: longWord, items })
  for (const name of [arabic, emoji, longName.slice(0, 200)]) await apis.playlists.create({ name, items })
  for (const name of [longWord, arabic, longName]) await apis.appPasswords.create(name.slice(0, 100))
  const feed = hostUnknown(hosts)
  return { podcast, episode: ids[0]!, empty, failing, feed, playlist: playlist.id, invite: await plantPeople(apis) }
}

/** A feed to look at before it is added. */
function hostUnknown({ host }: LibraryHosts): string {
  const items = times(3, index => ({ title: `${index} ${longWord}`, duration: String(5 * HOUR) }))
  const body = rss({ title: `Unknown: ${longWord}`, items })
    .replace('Stories from the coast', `${longName}. ${longWord}`)
    .replace('Mara Field', `${longWord} and ${longName}`)
  return host.feed('/unknown.xml', body)
}

/** The podcast that most screens show: every title, length and mark of an episode there is. */
async function plantTalkative({ host }: LibraryHosts, apis: Api, now: number) {
  const image = host.file('/hostile.png', paintCover(0, [250, 240, 30], [10, 10, 10]), { type: 'image/png' })
  const chapters = times(60, index => ({
    startTime: index * 300,
    title: index % 3 === 0 ? longWord : hostileTitles[index % hostileTitles.length]!,
    url: `https://example.com/${longWord}`,
  }))
  host.on('/hostile-chapters.json', () => Response.json({ chapters }))
  const lines = times(
    60,
    second => `00:00:${10 + (second % 50)}.000 --> 00:01:00.000\n<v ${longWord}>${second} ${longWord}`,
  )
  host.on('/hostile.vtt', () => new Response(`WEBVTT\n\n${lines.join('\n\n')}`))
  const items = times(60, (index): ItemSpec => {
    const title = hostileTitles[index % hostileTitles.length]!
    return {
      title: index < hostileTitles.length ? title : `${index} ${title}`,
      enclosure: host.file(`/hostile/${index}.mp3`, silentMp3(MINUTE)),
      notes: hostileNotes,
      duration: String([5 * HOUR, 20, 42 * MINUTE][index % 3]),
      date: index === 59 ? null : new Date(now - index * DAY_MS * 0.4).toUTCString(),
      extra: `<podcast:chapters url="${host.origin}/hostile-chapters.json" type="application/json+chapters"/>
        <podcast:transcript url="${host.origin}/hostile.vtt" type="text/vtt" language="en"/>
        <podcast:season name="${longWord}">12</podcast:season><podcast:episode display="${longWord}">${index}</podcast:episode>
        <podcast:person role="host" img="${image}">${longWord}</podcast:person><podcast:person>${arabic}</podcast:person>
        <podcast:soundbite startTime="10" duration="20">${longWord}</podcast:soundbite>
        <podcast:location geo="geo:30,50">${longName}</podcast:location>`,
    }
  })
  const extra = `<itunes:type>episodic</itunes:type><itunes:keywords>${longWord}</itunes:keywords>
    <podcast:funding url="https://example.com/give">${longName}</podcast:funding>
    ${hostileTitles.map(() => `<podcast:person role="guest" img="${image}">${longWord}</podcast:person>`).join('')}
    <podcast:podroll><podcast:remoteItem feedUrl="https://feeds.example/roll.xml" title="${longWord}"/></podcast:podroll>
    <podcast:location geo="geo:30,50">${longName}</podcast:location>`
  const body = rss({ title: longWord, image, items, extra })
    .replace('Stories from the coast', `${longName}. ${longWord}`)
    .replace('Mara Field', `${longWord} and ${longName}`)
  const { id: podcast } = await apis.podcasts.add(host.feed('/hostile.xml', body))
  const { data } = await apis.podcasts.episodes(podcast, { limit: 60 }, null)
  const episodes = data.map(({ podcastEpisode }) => podcastEpisode)
  return { podcast, ids: episodes.map(({ id }) => id), eids: episodes.map(({ episode_id }) => episode_id) }
}

/** Downloads in every state: one done, one running, one that waits, one paused, one failed. */
async function plantDownloads({ host, slow }: LibraryHosts, apis: Api, done: string) {
  await apis.episodes.download(done)
  const items = [
    { title: `Gone: ${longWord}`, enclosure: `${host.origin}/gone.mp3` },
    ...times(5, part => ({ title: `${longWord} ${part}`, enclosure: `${slow.address}?hostile=${part}` })),
  ]
  const { id } = await apis.podcasts.add(host.feed('/moving.xml', rss({ title: `On the move: ${longWord}`, items })))
  const { data } = await apis.podcasts.episodes(id, {}, null)
  for (const { podcastEpisode } of data) await apis.episodes.download(podcastEpisode.episode_id)
  const queue = (await apis.downloads.page(null)).data.items
  await apis.downloads.pause(queue.findLast(({ state }) => state === 'queued')!.id)
}

/** Podcasts for the grid; the first has no episode, the second fails, the third has ten thousand. */
async function plantOthers({ host }: LibraryHosts, apis: Api, now: number) {
  const add = async (name: string, items: ItemSpec[] = []) =>
    (await apis.podcasts.add(host.feed(`/${Bun.hash(name).toString(36)}.xml`, rss({ title: name, items })))).id
  const ids = [await add(`Nothing yet: ${longName}`), await add(`Failing: ${longWord}`, [{ title: 'The last one' }])]
  host.on(`/${Bun.hash(`Failing: ${longWord}`).toString(36)}.xml`, () => new Response('', { status: 503 }))
  await apis.podcasts.refresh(ids[1]!)
  const road = times(EPISODES, index => ({
    title: `The long road, part ${EPISODES - index}`,
    duration: String(MINUTE * 30),
    date: new Date(now - index * DAY_MS).toUTCString(),
  }))
  await add('The long road', road)
  for (const name of [arabic, hebrew, emoji, ...times(12, index => `${index} ${longName.slice(0, 40 + index * 9)}`)])
    await add(name, [{ title: `Only one, of ${name}`, date: new Date(now - 3 * DAY_MS).toUTCString() }])
  return ids as [string, string]
}

/** Some episodes are begun, some over. */
async function playSome({ playback }: Api, eids: readonly string[], now: number) {
  for (const [index, podcastEpisodeId] of eids.slice(0, 9).entries()) {
    const total = [5 * HOUR, 20, 42 * MINUTE][index % 3]!
    const time = index > 6 ? total : Math.ceil(total / 3)
    const timestamp = new Date(now - index * 60_000).toISOString()
    await playback.save({ podcastEpisodeId, total, time, timestamp })
  }
}

/** People and invitations; returns the id of an open one. */
async function plantPeople({ invites, users }: Api): Promise<string> {
  for (const username of [longWord.slice(0, 64), arabic, 'x']) {
    const { id: inviteId } = await invites.create({ role: 'uploader', explicitConsent: true })
    await users.signUp({ username, password: 'Corr3ctHorse', inviteId })
  }
  return (await invites.create({ role: 'uploader', explicitConsent: true })).id
}
