import { apisOf } from '../../support/apis'
import { rss, silentMp3 } from '../../support/builders'
import { startExecutable } from '../../support/executable'
import { startFeedHost } from '../../support/feed-host'
import { admin } from '../../support/released-library'
import type { Report } from '../../support/report'

const MAX_DOWNLOAD_MS = 120_000

/** Lets the server reach a feed of this machine, also where the disk is nearly full. */
const environment = {
  ALLOWED_NETWORKS: '127.0.0.0/8',
  DISK_RESERVE: '0',
  HOST: '127.0.0.1',
  ...admin,
}

/**
 * Starts a server and checks that it answers with the interface and signs its admin in, that it downloads an episode
 * and plays it, and how many podcasts it had before.
 */
export async function probe(
  report: Report,
  name: string,
  command: readonly string[],
  { env = {}, podcasts = 0 }: { env?: Record<string, string>; podcasts?: number } = {},
) {
  const check = (claim: string, isFine: boolean, detail?: string) => report.check(`${name} ${claim}`, isFine, detail)
  const running = await start(command, { ...environment, ...env })
  if (!check('starts', typeof running !== 'string', String(running)) || typeof running === 'string') return
  try {
    const authorization = `Basic ${btoa(`${admin.USERNAME}:${admin.PASSWORD}`)}`
    const apis = apisOf(running.origin, authorization)
    const page = await fetch(`${running.origin}/ui/`)
    check('answers /ui/', page.ok && (await page.text()).includes('<title>Castellan'), `status ${page.status}`)
    check('refuses a stranger', (await fetch(`${running.origin}/api/v1/podcasts`)).status === 401)
    check('signs its admin in', await signsIn(running.origin))
    check(`has ${podcasts} podcasts`, (await apis.podcasts.list()).length === podcasts)
    check(
      'downloads a file and plays it',
      await playsFile(running.origin, authorization, podcasts),
      running.output.join(''),
    )
  } finally {
    check('stops when asked to', (await running.stop()) === 0)
  }
}

const start = (command: readonly string[], env: Record<string, string>) =>
  startExecutable(env, command).catch((error: Error) => error.message)

async function signsIn(origin: string): Promise<boolean> {
  const body = JSON.stringify({ username: admin.USERNAME, password: admin.PASSWORD })
  const headers = { 'Content-Type': 'application/json' }
  return (await fetch(`${origin}/api/v1/login`, { method: 'POST', headers, body })).ok
}

/** Adds a podcast with one file, and reads that file back after its host has lost it. */
async function playsFile(origin: string, authorization: string, number: number): Promise<boolean> {
  using host = startFeedHost()
  const bytes = silentMp3(2)
  const enclosure = host.file('/one.mp3', bytes)
  const feed = host.feed('/feed.xml', rss({ title: `Podcast ${number}`, items: [{ enclosure }] }))
  const { podcasts } = apisOf(origin, authorization)
  const { id } = await podcasts.add(feed, { firstDownloads: 1 })
  const until = Date.now() + MAX_DOWNLOAD_MS
  for (;;) {
    const [episode] = (await podcasts.episodes(String(id), {}, null)).data
    if (episode?.podcastEpisode.status) {
      host.on('/one.mp3', () => new Response(null, { status: 404 }))
      const address = `${origin}/media/${episode.podcastEpisode.episode_id}.mp3`
      const part = await fetch(address, { headers: { Range: 'bytes=10-99', Authorization: authorization } })
      return part.status === 206 && Buffer.from(await part.bytes()).equals(Buffer.from(bytes.slice(10, 100)))
    }
    if (Date.now() > until) return false
    await Bun.sleep(100)
  }
}
