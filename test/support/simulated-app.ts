/** An episode as apps name it. */
export type Media = { feed: string; url: string; guid: string; total: number }

/** What an app says of an episode; the time in seconds. */
export type SaidAction = {
  podcast: string
  episode: string
  action: string
  device?: string
  timestamp: string
  position?: number
}

/** A request with a JSON answer; throws where no answer comes, though the request may have arrived. */
export type Wire = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<unknown>

export type Addresses = {
  subscriptions: (since: number) => string
  change: string
  actions: (since: number) => string
  upload: string
}

export const apiTwo = (user: string, device: string): Addresses => ({
  subscriptions: since => `/api/2/subscriptions/${user}/${device}.json?since=${since}`,
  change: `/api/2/subscriptions/${user}/${device}.json`,
  actions: since => `/api/2/episodes/${user}.json?since=${since}`,
  upload: `/api/2/episodes/${user}.json`,
})
const cloud = '/index.php/apps/gpoddersync'
export const nextcloud: Addresses = {
  subscriptions: since => `${cloud}/subscriptions?since=${since}`,
  change: `${cloud}/subscription_change/create`,
  actions: since => `${cloud}/episode_action?since=${since}`,
  upload: `${cloud}/episode_action/create`,
}

type Needs = {
  name: string
  addresses: Addresses
  /** The answer that gives the next `since`: to the last upload, as AntennaPod does, or to the download, as gPodder does. */
  nextSince: 'upload' | 'download'
  wire: Wire
  /** Its own clock, in seconds. */
  now: () => number
}

type Place = { at: number; position: number }
type Queued = Place & { media: Media; word: 'play' | 'new' | 'PLAY' | 'NEW' }

/** Apps send what they have in parts. */
const PART = 3

/**
 * A podcast app with a state of its own. It takes up what it is told unless it has something newer itself; of two things of the
 * same second it takes what comes later in the server's list. What the server has taken has the time that the server gives it.
 */
export function simulatedApp({ name, addresses, nextSince, wire, now }: Needs) {
  const subscriptions = new Set<string>()
  const wishes = new Map<string, { subscribed: boolean }>()
  const told = new Map<string, Place>()
  let queue: Queued[] = []
  const since = { subscriptions: 0, actions: 0 }

  /** One request after the other; others may do something in between. */
  async function* exchangeSubscriptions() {
    const { add, remove, timestamp } = (await wire('GET', addresses.subscriptions(since.subscriptions))) as {
      add: string[]
      remove: string[]
      timestamp: number
    }
    for (const url of add) if (!wishes.has(url)) subscriptions.add(url)
    for (const url of remove) if (!wishes.has(url)) subscriptions.delete(url)
    if (nextSince === 'download') since.subscriptions = timestamp
    yield
    let next = timestamp
    const sent = [...wishes]
    if (sent.length > 0) {
      const urls = (subscribed: boolean) =>
        sent.filter(([, wish]) => wish.subscribed === subscribed).map(([url]) => url)
      const body = { add: urls(true), remove: urls(false) }
      next = ((await wire('POST', addresses.change, body)) as { timestamp: number }).timestamp
      for (const [url, wish] of sent) if (wishes.get(url) === wish) wishes.delete(url)
      yield
    }
    if (nextSince === 'upload') since.subscriptions = next
  }

  async function* exchangeActions() {
    const { actions, timestamp } = (await wire('GET', addresses.actions(since.actions))) as {
      actions: SaidAction[]
      timestamp: number
    }
    for (const { episode, action, timestamp, position } of actions) {
      const place = { at: Date.parse(`${timestamp}Z`) / 1000, position: /new/i.test(action) ? 0 : position! }
      if (place.at >= (told.get(episode)?.at ?? 0)) told.set(episode, place)
    }
    if (nextSince === 'download') since.actions = timestamp
    yield
    let next = timestamp
    while (queue.length > 0) {
      const part = queue.slice(0, PART)
      next = ((await wire('POST', addresses.upload, part.map(write))) as { timestamp: number }).timestamp
      queue = queue.filter(action => !part.includes(action))
      yield
    }
    if (nextSince === 'upload') since.actions = next
  }

  const write = ({ media, word, at, position }: Queued): SaidAction & Record<string, unknown> => ({
    podcast: media.feed,
    episode: media.url,
    guid: media.guid,
    action: word,
    device: name,
    timestamp: new Date(at * 1000).toISOString().slice(0, 19),
    ...(/play/i.test(word) && { started: 0, position, total: media.total }),
  })

  return {
    name,
    async *sync() {
      yield* exchangeSubscriptions()
      yield* exchangeActions()
    },
    wish(url: string, subscribed: boolean) {
      if (subscribed) subscriptions.add(url)
      else subscriptions.delete(url)
      wishes.set(url, { subscribed })
    },
    hear(media: Media, position: number, word: Queued['word'] = 'play') {
      queue.push({ media, position, word, at: now() })
    },
    subscriptions: () => [...subscriptions].sort(),
    position(media: Media): number | null {
      const own = queue.findLast(action => action.media.url === media.url)
      const known = told.get(media.url)
      return (own && own.at >= (known?.at ?? 0) ? own : known)?.position ?? null
    },
  }
}
export type SimulatedApp = ReturnType<typeof simulatedApp>
