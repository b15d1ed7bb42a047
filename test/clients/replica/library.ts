import { rss, silentMp3 } from '../../support/builders'
import type { FeedHost } from '../../support/feed-host'
import { connectTo, environment } from '../../chaos/server'
import { startExecutable } from '../../support/executable'
import { until } from '../../support/programs'

export type Library = Awaited<ReturnType<typeof startLibrary>>

const feedPassword = `Basic ${btoa('mara:lantern')}`

/** The built executable on a data folder, as its owner and a phone see it. */
export async function startLibrary(data: string, media: string, env: Record<string, string> = {}) {
  const running = await startExecutable({ ...environment, DATA_DIRECTORY: data, PODCAST_DIRECTORY: media, ...env })
  return {
    ...connectTo(running.origin),
    stop: () => running.stop(),
    async kill() {
      running.process.kill('SIGKILL')
      await running.process.exited
    },
    async metric(name: string): Promise<number> {
      const headers = { Authorization: connectTo(running.origin).authorization }
      const text = await (await fetch(`${running.origin}/metrics`, { headers })).text()
      return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]?.replace('+Inf', 'Infinity'))
    },
  }
}

/** Puts a private feed, its downloaded episode, an app password and a feed address into a library. */
export async function fill(library: Library, host: FeedHost) {
  const enclosure = host.file('/one.mp3', silentMp3(3))
  const url = host.on('/private.xml', request =>
    request.headers.get('authorization') === feedPassword
      ? new Response(rss({ title: 'Lantern', items: [{ title: 'One', enclosure }] }))
      : new Response('', { status: 401 }),
  )
  const podcast = await library.podcasts.add(url.replace('http://', 'http://mara:lantern@'), { firstDownloads: 1 })
  const { feedKey } = await library.users.me()
  const eid = (await library.podcasts.episodes(podcast.id, {}, null)).data[0]!.podcastEpisode.episode_id
  return { podcast: podcast.id, eid, feedKey, password: await appPasswordOf(library) }
}
export type Kept = Awaited<ReturnType<typeof fill>>

/** Whether the downloaded episode is there, and not relayed from its host. */
export async function isDownloaded(library: Library, { podcast }: Kept): Promise<boolean> {
  const { data } = await library.podcasts.episodes(podcast, { downloaded: true }, null)
  return data.length === 1
}

/** The login of Nextcloud's apps. */
async function appPasswordOf({ origin, appPasswords }: Library): Promise<string> {
  const headers = { 'User-Agent': 'AntennaPod/3.9' }
  const begun = await fetch(`${origin}/index.php/login/v2`, { method: 'POST', headers })
  const { poll, login } = (await begun.json()) as { poll: { token: string; endpoint: string }; login: string }
  await appPasswords.grant(login.split('/').at(-1)!)
  const body = new URLSearchParams({ token: poll.token })
  const granted = await fetch(`${origin}${new URL(poll.endpoint).pathname}`, { method: 'POST', headers, body })
  return ((await granted.json()) as { appPassword: string }).appPassword
}

/** Asks as a phone, a podcast app and a player do, with what they were given before; empty = all is fine. */
export async function findBroken(library: Library, kept: Kept, host: FeedHost): Promise<string[]> {
  const { origin } = library
  const authorization = `Basic ${btoa(`${environment.USERNAME}:${kept.password}`)}`
  const phone = await fetch(`${origin}/index.php/apps/gpoddersync/subscriptions`, { headers: { authorization } })
  const feed = await fetch(`${origin}/rss/apiKey/${kept.feedKey}/${kept.podcast}`)
  const asked = host.requestsTo('/one.mp3').length
  const media = await library.media(kept.eid, 0, 99)
  const before = host.requestsTo('/private.xml').length
  await library.podcasts.refresh(kept.podcast)
  await until('the private feed is read', () => host.requestsTo('/private.xml').length > before)
  const found = {
    'the app password of a phone': phone.status === 200,
    'the address of a private feed': feed.status === 200 && (await feed.text()).includes('<title>One</title>'),
    'a downloaded episode':
      media.status === 206 && (await isDownloaded(library, kept)) && host.requestsTo('/one.mp3').length === asked,
    'the password of a feed': host.requestsTo('/private.xml').at(-1)?.headers.get('authorization') === feedPassword,
  }
  return Object.entries(found).flatMap(([name, isFine]) => (isFine ? [] : [name]))
}
