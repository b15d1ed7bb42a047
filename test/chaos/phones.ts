import type { Actor, Needs } from './actor'
import { account } from './server'

const TOTAL = 100_000
const LONG_AGO = Date.UTC(2025, 0, 1) / 1000
const textOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19)

/** A podcast app: it subscribes and unsubscribes, and tells what was heard on it. */
function phone(
  device: string,
  place: number,
  subscribe: (needs: Needs, change: { add: string[]; remove: string[] }) => Promise<unknown>,
  upload: (needs: Needs, actions: readonly object[]) => Promise<unknown>,
): Actor {
  async function changeSubscriptions(needs: Needs) {
    const { ledger, random } = needs
    const feed = `https://elsewhere.example/${device}/${random.below(20)}.xml`
    const key = `subscription ${feed}`
    const wanted = ledger.get(key) === true ? null : true
    await ledger.write('subscription', { [key]: wanted }, () =>
      subscribe(needs, wanted ? { add: [feed], remove: [] } : { add: [], remove: [feed] }),
    )
  }

  /** Reports episodes that the library has, some that it has not, and one that is long out of date. */
  async function reportPlays(needs: Needs) {
    const { ledger, random, episodes, count } = needs
    const changes: Record<string, unknown> = {}
    const action = (podcast: string, episode: string, position: number, age = 0) => {
      const timestamp = textOf(LONG_AGO + count() - age)
      changes[`action ${device} ${episode} ${timestamp}`] = true
      return { podcast, episode, action: 'play', device, timestamp, started: 0, position, total: TOTAL }
    }
    const own = episodes.filter(({ number }) => number % 4 === place && number < 8)
    const others = episodes.filter(({ eid, number }) => number % 4 === 0 && number < 8 && ledger.get(`position ${eid}`))
    const actions = [...new Set(random.some(own, 3))].map(({ feed, enclosure, eid }) => {
      const position = count()
      changes[`position ${eid}`] = position
      return action(feed, enclosure, position)
    })
    actions.push(action('https://elsewhere.example/feed.xml', `https://elsewhere.example/${count()}.mp3`, 7))
    const stale = others.length > 0 ? random.pick(others) : null
    if (stale) actions.push(action(stale.feed, stale.enclosure, 1, 10_000_000))
    await ledger.write('actions', changes, () => upload(needs, actions))
  }

  return { everyMs: 40, step: needs => (needs.random.chance(30) ? changeSubscriptions(needs) : reportPlays(needs)) }
}

export const gpodderApp = phone(
  'phone',
  1,
  ({ server }, change) => server.sync(`/api/2/subscriptions/${account.username}/phone.json`, change),
  ({ server }, actions) => server.sync(`/api/2/episodes/${account.username}.json`, actions),
)

const cloud = '/index.php/apps/gpoddersync'
export const cloudApp = phone(
  'nextcloud',
  3,
  ({ server }, change) => server.sync(`${cloud}/subscription_change/create`, change),
  ({ server }, actions) => server.sync(`${cloud}/episode_action/create`, actions),
)
