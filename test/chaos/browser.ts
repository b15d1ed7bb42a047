import type { Actor, Needs } from './actor'

const TOTAL = 100_000
const MAX_ADDED = 20
const MAX_BACKUPS = 4
const MAX_PLAYLISTS = 5

/** The player's page. */
const playing: Actor = {
  everyMs: 15,
  async step({ server, ledger, random, episodes, count }) {
    const { id, eid } = random.pick(episodes.filter(({ number }) => number % 2 === 0 && number < 8))
    const time = count()
    await ledger.write('position', { [`position ${eid}`]: time }, () =>
      server.playback.save({ podcastEpisodeId: id, time, total: TOTAL }),
    )
  },
}

const someIds = ({ random, episodes }: Needs) =>
  [...new Set(random.some(episodes, 1 + random.below(12)))].map(({ id }) => id)

const lists: readonly ((needs: Needs) => Promise<unknown>)[] = [
  async function queue(needs) {
    const ids = someIds(needs)
    const items = ids.map(episode => ({ episode }))
    await needs.ledger.write('queue', { queue: ids }, () => needs.server.queue.reorder({ items }))
  },
  async function playlist(needs) {
    const { server, ledger, random, count } = needs
    const known = ledger.keys('playlist ').filter(key => ledger.get(key) !== null)
    const ids = someIds(needs)
    const edit = { name: `List ${count()}`, items: ids.map(episode => ({ episode })) }
    const value = { name: edit.name, items: ids }
    if (known.length < MAX_PLAYLISTS) {
      const made = await ledger.write('playlist', {}, () => server.playlists.create(edit))
      if (made) ledger.note(`playlist ${made.id}`, value)
      return
    }
    const key = random.pick(known)
    const id = key.split(' ')[1]!
    if (random.chance(20)) await ledger.write('playlist', { [key]: null }, () => server.playlists.remove(id))
    else await ledger.write('playlist', { [key]: value }, () => server.playlists.replace(id, edit))
  },
  async function favourite({ server, ledger, random, episodes }) {
    const { feed, podcastId } = random.pick(episodes)
    const wanted = ledger.get(`favourite ${feed}`) === true ? null : true
    await ledger.write('favourite', { [`favourite ${feed}`]: wanted }, () =>
      server.podcasts.favour(podcastId, wanted === true),
    )
  },
  async function setting({ server, ledger, random }) {
    const autoCleanupDays = 1 + random.below(30_000)
    await ledger.write('setting', { autoCleanupDays }, () => server.system.editSettings({ autoCleanupDays }))
  },
  async function bookmark({ server, ledger, random, episodes, count }) {
    const mark = { episode: random.pick(episodes).id, time: count() }
    const made = await ledger.write('bookmark', {}, () => server.bookmarks.add(mark))
    if (made) ledger.note(`bookmark ${made.id}`, mark.time)
  },
]

const inLists: Actor = { everyMs: 20, step: needs => needs.random.pick(lists)(needs) }

/** Podcasts that come and go: the library stays as large as it is. */
const added = ({ ledger, feeds }: Needs) =>
  ledger.keys('podcast ').filter(key => ledger.get(key) === true && !feeds.includes(key.slice('podcast '.length)))

const podcasts: readonly ((needs: Needs) => Promise<unknown>)[] = [
  async function add(needs) {
    const { server, ledger, hosts, count } = needs
    if (added(needs).length >= MAX_ADDED) return
    const feed = hosts.add(`Added-${count()}`, 3)
    await ledger.write('podcast', { [`podcast ${feed}`]: true }, () => server.podcasts.add(feed))
  },
  async function remove(needs) {
    const { server, ledger, random } = needs
    const known = added(needs)
    if (known.length === 0 || (known.length < MAX_ADDED && random.chance(60))) return
    const key = random.pick(known)
    const podcast = (await server.podcasts.list()).find(({ rssfeed }) => key === `podcast ${rssfeed}`)
    if (podcast) await ledger.write('podcast removal', { [key]: null }, () => server.podcasts.remove(podcast.id, true))
  },
  bringIn,
  async function refresh({ server, hosts, random, episodes }) {
    const { feed, podcastId } = random.pick(episodes)
    if (random.chance(20)) hosts.publish(feed)
    hosts.edit(feed, 3)
    await (random.chance(10) ? server.podcasts.refreshAll() : server.podcasts.refresh(podcastId))
  },
]

const downloads: readonly ((needs: Needs) => Promise<unknown>)[] = [
  async function download({ server, ledger, random, episodes }) {
    const { eid } = random.pick(episodes)
    await ledger.write('download', { [`download ${eid}`]: true }, () => server.episodes.download(eid))
  },
  async function removal({ server, ledger, random, episodes }) {
    const { eid } = random.pick(episodes)
    ledger.forget(`file ${eid}`)
    await ledger.write('download removal', { [`download ${eid}`]: null }, () => server.episodes.removeDownload(eid))
  },
  async function rename({ server, ledger, random }) {
    if (random.chance(70)) return
    const episodeFormat = random.pick(['{title}', '{date} {title}', '{title} {duration}'])
    await ledger.write('naming', { episodeFormat }, () => server.system.editNaming({ episodeFormat }))
    await ledger.write('renaming', {}, () => server.system.rescan({ applyFilenames: true }))
  },
]

/** One import after the other; what it brought counts once it says that it is done. */
async function bringIn(this: void, needs: Needs) {
  const { server, ledger, hosts, random, count, imports, complain } = needs
  const [running] = imports
  if (running) {
    const job = await server.opml.job(running.jobId)
    if (job.state !== 'done') return
    imports.shift()
    ledger.forget(`import ${running.jobId}`)
    for (const { feedUrl, state, errorCode } of job.items)
      if (state !== 'added' && state !== 'present') complain(`the import of ${feedUrl} is ${state} (${errorCode})`)
    for (const feed of running.feeds) ledger.note(`podcast ${feed}`, true)
    return
  }
  if (added(needs).length >= MAX_ADDED || random.chance(50)) return
  if ((await server.opml.jobs()).some(({ state }) => state === 'running')) return
  const feeds = Array.from({ length: 5 }, () => hosts.add(`Imported-${count()}`, 2))
  const outlines = feeds.map(feed => `<outline text="Imported" xmlUrl="${feed}"/>`)
  const content = `<opml version="2.0"><body>${outlines.join('')}</body></opml>`
  const job = await ledger.write('import', {}, () => server.opml.start({ content }))
  if (!job) return
  ledger.note(`import ${job.jobId}`, true)
  imports.push({ jobId: job.jobId, feeds })
}

const amongPodcasts: Actor = { everyMs: 20, step: needs => needs.random.pick(podcasts)(needs) }
const amongDownloads: Actor = { everyMs: 40, step: needs => needs.random.pick(downloads)(needs) }

/** An administrator's page. */
const backups: Actor = {
  everyMs: 150,
  async step({ server, ledger }) {
    const made = await ledger.write('backup', {}, () => server.backups.create())
    if (made) ledger.note(`backup ${made.name}`, true)
    const kept = ledger.keys('backup ').filter(key => ledger.get(key) === true)
    if (kept.length <= MAX_BACKUPS) return
    const name = kept[0]!.slice('backup '.length)
    await ledger.write('backup removal', { [kept[0]!]: null }, () => server.backups.remove(name))
  },
}

/** One person in several tabs. Each thing is written in only one of them. */
export const tabs: readonly Actor[] = [playing, inLists, amongPodcasts, amongDownloads, backups]
