import { expect, test } from 'bun:test'
import { createTasks } from '../../../../src/server/tasks'
import type { NotificationType } from '../../../../src/shared/api/notification'
import {
  basic,
  goodPassword,
  startClock,
  startTestApp,
  temporaryFolder,
  withPasswords,
  type TestApp,
} from '../../../support/app'
import { rss, silentMp3, type ItemSpec } from '../../../support/builders'
import { startFeedHost } from '../../../support/feed-host'
import { endDownloads } from '../../../support/notices'
import { startRandom } from '../../../support/random'

// Episodes come and are downloaded or not, people favour, ask, cancel and dismiss, and the server is killed between
// what it stores and what it says of it. A model that knows who is to be notified of what counts along.

const names = ['root', 'alice', 'uma'] as const
type Name = (typeof names)[number]
type Episode = {
  title: string
  exists: boolean
  explicit: boolean
  state: 'absent' | 'queued' | 'here'
  isNew: boolean
  askers: Set<Name>
  hasFailed: boolean
}
type Counts = Record<NotificationType, number>

const none = (): Counts => ({
  Download: 0,
  NewEpisodes: 0,
  DownloadFailed: 0,
  SignIn: 0,
  RenewalReused: 0,
  Attack: 0,
  LiveStarted: 0,
  Renamed: 0,
})
const seeds = Array.from({ length: Number(process.env.SEEDS ?? 5) }, (_, index) => index + 1)

test.each(seeds)(
  'whatever happens, everybody is notified of each episode as often as promised (%i)',
  async seed => {
    using host = startFeedHost()
    const clock = startClock()
    const folder = temporaryFolder()
    const { below, pick, chance } = startRandom(seed)
    const start = () => startTestApp({ env: withPasswords, now: clock, folder })
    let app: TestApp = await start()
    app.prefill(0)
    for (const [name, role, consent] of [
      ['alice', 'user', false],
      ['uma', 'uploader', true],
    ] as const)
      await app.signUp(name, role, consent)
    const as = (name: Name) => app.withHeader(basic(name, name === 'root' ? 'Sup3rSecret' : goodPassword))
    const sees = (name: Name, episode: Episode) => name !== 'alice' || !episode.explicit
    const podcast = await as('root').podcasts.add(host.feed('/feed.xml', rss({})))
    const podcastId = app.context.store.podcasts.allIds()[0]!

    const episodes: Episode[] = []
    const followers = new Set<Name>(['root'])
    const wanted = { root: none(), alice: none(), uma: none() }
    const dismissed = { root: none(), alice: none(), uma: none() }
    const items: ItemSpec[] = []

    function announce(episode: Episode, type: NotificationType, to: Iterable<Name>, except = new Set<Name>()) {
      for (const name of new Set(to)) if (sees(name, episode) && !except.has(name)) wanted[name][type]++
    }
    function settle(episode: Episode) {
      const { askers, isNew } = episode
      Object.assign(episode, { state: episode.exists ? 'here' : 'absent', isNew: false, askers: new Set() })
      if (episode.exists) return announce(episode, 'Download', [...askers, ...(isNew ? followers : [])])
      const hearOfFailure = new Set<Name>([...askers, ...(episode.hasFailed ? [] : ['root' as const])])
      episode.hasFailed = true
      announce(episode, 'DownloadFailed', hearOfFailure)
      if (isNew) announce(episode, 'NewEpisodes', followers, hearOfFailure)
    }
    async function settleAll() {
      app.context.downloads.resumeAll()
      await endDownloads(app, clock)
      // A refused download has its feed read again: the next reading is to be one of its own.
      await app.context.refresh.refresh(podcastId)
      for (const episode of episodes) if (episode.state === 'queued') settle(episode)
      await app.context.downloads.pauseAll()
    }

    /** The second thread stores what the feed brings, and the process is killed before anybody hears of it. */
    async function storeAndDie() {
      const body = new Uint8Array(await (await fetch(podcast.rssfeed)).arrayBuffer())
      const tasks = createTasks(() => app.context.store)
      const request = { body, contentType: '', contentEncoding: '', address: podcast.rssfeed, maxBytes: 1e6, podcastId }
      const read = await tasks.digestFeed(request, 1)
      if (!read.ok) throw new Error(read.reason)
      const validators = { etag: null, lastModified: null, digest: null }
      await tasks.applyDigests({ podcastId, digestIds: [read.summary.digestId], validators, now: clock() }, 2)
      await restart()
    }
    async function restart() {
      await app[Symbol.asyncDispose]()
      app = await start()
      app.context.notifications.recover()
      app.context.notifications.sendDue()
    }

    async function publish() {
      const isDownloaded = chance(60)
      app.context.store.settings.edit({ autoDownload: isDownloaded })
      for (let count = 1 + below(3); count > 0; count--) {
        const title = `Episode ${items.length}`
        const episode: Episode = {
          title,
          exists: chance(70),
          explicit: chance(25),
          state: isDownloaded ? 'queued' : 'absent',
          isNew: isDownloaded,
          askers: new Set(),
          hasFailed: false,
        }
        const enclosure = episode.exists
          ? host.file(`/${items.length}.mp3`, silentMp3(1))
          : `${host.origin}/${items.length}.gone`
        episodes.push(episode)
        items.unshift({
          guid: title,
          title,
          enclosure,
          date: new Date(clock()).toUTCString(),
          extra: `<itunes:explicit>${episode.explicit}</itunes:explicit>`,
        })
        if (!isDownloaded) announce(episode, 'NewEpisodes', followers)
      }
      host.feed('/feed.xml', rss({ items }))
      if (chance(30)) await storeAndDie()
      else await app.context.refresh.refresh(podcastId)
    }

    async function act() {
      clock.advance(60_000)
      const kind = below(10)
      const name = pick(names)
      const episode = episodes.length > 0 ? pick(episodes) : null
      if (kind <= 2 || !episode) await publish()
      else if (kind === 3) {
        const isOn = chance(70)
        await as(name).podcasts.favour(podcast.id, isOn)
        if (isOn) followers.add(name)
        else if (name !== 'root') followers.delete(name)
      } else if (kind <= 5 && episode.state !== 'here') {
        const asker = pick(['root', 'uma'] as const)
        const { data } = await as(asker).podcasts.episodes(podcast.id, { limit: 200 }, null)
        await as(asker).episodes.download(
          data.find(row => row.podcastEpisode.name === episode.title)!.podcastEpisode.episode_id,
        )
        episode.state = 'queued'
        episode.askers.add(asker)
      } else if (kind === 6 && episode.state === 'queued') {
        const { data } = await as('root').downloads.page(null)
        await as('root').downloads.cancel(data.items.find(row => row.episodeName === episode.title)!.id)
        if (episode.isNew) announce(episode, 'NewEpisodes', followers)
        Object.assign(episode, { state: 'absent', isNew: false, askers: new Set() })
      } else if (kind === 7) {
        const unread = await as(name).notifications.unread()
        if (unread.length === 0) return
        const notice = pick(unread)
        await as(name).notifications.dismiss(notice.id)
        dismissed[name][notice.typeOfMessage] += notice.episodeCount
      } else if (kind === 8) await restart()
      else await settleAll()
    }

    async function check() {
      for (const name of names) {
        const counts = { ...dismissed[name] }
        for (const { typeOfMessage, episodeCount } of await as(name).notifications.unread())
          counts[typeOfMessage] += episodeCount
        expect({ name, ...counts }).toEqual({ name, ...wanted[name] })
      }
    }

    await app.context.downloads.pauseAll()
    for (let step = 0; step < 40; step++) {
      await act()
      await check()
    }
    await settleAll()
    await check()
    await app[Symbol.asyncDispose]()
  },
  120_000,
)
