/** An episode as apps name it; addresses in our private feeds are known once the library has it. */
export type Media = {
  feed: string
  url: string
  /** Null = the feed gives none. */
  guid: string | null
  total: number
  /** The feed says how long it is; else an app knows only once it has played it. */
  hasLength: boolean
  privately: { feed: string; url: string; guid: string } | null
}

/** An episode action, as an app sends and receives it. */
export type SaidAction = {
  podcast: string
  episode: string
  action: string
  guid?: string
  device?: string
  timestamp: string
  started?: number
  position?: number
  total?: number
}

/** A request with a JSON answer; throws where no answer comes, though the request may have arrived. */
export type Wire = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<unknown>

export type Addresses = {
  subscriptions: (since: number) => string
  change: string
  actions: (since: number) => string
  upload: string
}

export const apiTwo = (user: string, device: string, query = ''): Addresses => ({
  subscriptions: since => `/api/2/subscriptions/${user}/${device}.json?since=${since}`,
  change: `/api/2/subscriptions/${user}/${device}.json`,
  actions: since => `/api/2/episodes/${user}.json?since=${since}${query}`,
  upload: `/api/2/episodes/${user}.json`,
})
const cloud = '/index.php/apps/gpoddersync'
export const nextcloud: Addresses = {
  subscriptions: since => `${cloud}/subscriptions?since=${since}`,
  change: `${cloud}/subscription_change/create`,
  actions: since => `${cloud}/episode_action?since=${since}`,
  upload: `${cloud}/episode_action/create`,
}

/** The habits of a kind of app. */
export type Kind = {
  /** The time it asks from next: of its upload's answer, of its download's, of its own clock after an upload, or 0. */
  nextSince: 'upload' | 'download' | 'own clock' | 'never'
  /** Finds episodes by their guids where it is told one, else by addresses; or by addresses alone. */
  finds: 'by guid' | 'by address'
  /** Applies the newest of each pair of addresses, the pairs in no order, whatever it knew before. */
  appliesUnordered?: boolean
  /** Reports as its owner's wish what it was told to drop. */
  echoesRemovals?: boolean
  /** Sends what is finished and has no length as three of these. */
  finishesWith?: 0 | -1
  inCapitals?: boolean
}

type Needs = {
  name: string
  addresses: Addresses
  kind: Kind
  wire: Wire
  /** Its own clock, in seconds. */
  now: () => number
  allMedia: readonly Media[]
  shuffled: <T>(list: readonly T[]) => T[]
}

export type Place = { at: number; position: number; finished: boolean }
type Queued = Place & { media: Media; word: 'play' | 'new' }

/** Apps send what they have in parts. */
const PART = 3

/**
 * A podcast app with a state of its own. It takes up what it is told unless it has something newer itself; of two
 * things of the same second it takes what comes later in the server's list. What the server has taken has the time that
 * the server gives it.
 */
export function simulatedApp({ name, addresses, kind, wire, now, allMedia, shuffled }: Needs) {
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
    // An app that asks from the beginning each time receives everything.
    if (kind.nextSince === 'never')
      for (const url of subscriptions) if (!add.includes(url) && !wishes.has(url)) subscriptions.delete(url)
    for (const url of remove)
      if (!wishes.has(url) && subscriptions.delete(url) && kind.echoesRemovals) wishes.set(url, { subscribed: false })
    if (kind.nextSince === 'download') since.subscriptions = timestamp
    yield
    let next = timestamp
    const sent = [...wishes]
    if (sent.length > 0) {
      const urls = (subscribed: boolean) =>
        sent.filter(([, wish]) => wish.subscribed === subscribed).map(([url]) => url)
      const body = { add: urls(true), remove: urls(false) }
      const answer = (await wire('POST', addresses.change, body)) as { timestamp: number }
      next = kind.nextSince === 'own clock' ? now() : answer.timestamp
      for (const [url, wish] of sent) if (wishes.get(url) === wish) wishes.delete(url)
      yield
    }
    if (kind.nextSince === 'upload' || kind.nextSince === 'own clock') since.subscriptions = next
  }

  async function* exchangeActions() {
    const { actions, timestamp } = (await wire('GET', addresses.actions(since.actions))) as {
      actions: SaidAction[]
      timestamp: number
    }
    take(actions)
    if (kind.nextSince === 'download') since.actions = timestamp
    yield
    let next = timestamp
    while (queue.length > 0) {
      const part = queue.slice(0, PART)
      const answer = (await wire('POST', addresses.upload, part.map(write))) as { timestamp: number }
      next = kind.nextSince === 'own clock' ? now() : answer.timestamp
      queue = queue.filter(action => !part.includes(action))
      yield
    }
    if (kind.nextSince === 'upload' || kind.nextSince === 'own clock') since.actions = next
  }

  function take(actions: readonly SaidAction[]) {
    const places = actions.flatMap(action => {
      const media = find(action)
      const place = read(action)
      return media && place ? [{ url: media.url, pair: `${action.podcast} ${action.episode}`, place }] : []
    })
    if (!kind.appliesUnordered) {
      for (const { url, place } of places) if (place.at >= (told.get(url)?.at ?? 0)) told.set(url, place)
      return
    }
    const newest = new Map<string, (typeof places)[number]>()
    for (const given of places)
      if (given.place.at >= (newest.get(given.pair)?.place.at ?? 0)) newest.set(given.pair, given)
    for (const { url, place } of shuffled([...newest.values()])) told.set(url, place)
  }

  /** By the names of the feed that it has of a podcast; where it has none or both, by any. */
  function find({ guid, episode }: SaidAction): Media | undefined {
    const fits = (names: { url: string; guid: string | null } | null) =>
      names !== null && (kind.finds === 'by guid' && guid ? names.guid === guid : names.url === episode)
    return allMedia.find(media => {
      const { privately } = media
      const hasPrivate = privately !== null && subscriptions.has(privately.feed)
      const isOnlyPublic = !hasPrivate && subscriptions.has(media.feed)
      const isOnlyPrivate = hasPrivate && !subscriptions.has(media.feed)
      return (!isOnlyPrivate && fits(media)) || (!isOnlyPublic && fits(privately))
    })
  }

  function read({ action, timestamp, position = 0, total = 0 }: SaidAction): Place | null {
    const at = Date.parse(`${timestamp}Z`) / 1000
    if (/new/i.test(action)) return { at, position: 0, finished: false }
    if (!/play/i.test(action)) return null
    // Without a known length, three zeros mark an end as well.
    return { at, position, finished: total >= 0 && position >= total }
  }

  function write({ media, word, at, position, finished }: Queued): SaidAction {
    const own = media.privately && subscriptions.has(media.privately.feed) ? media.privately : media
    const all = finished && !media.hasLength ? kind.finishesWith : undefined
    const numbers =
      all === undefined ? { started: 0, position, total: media.total } : { started: all, position: all, total: all }
    return {
      podcast: own.feed,
      episode: own.url,
      ...(own.guid !== null && { guid: own.guid }),
      action: kind.inCapitals ? word.toUpperCase() : word,
      device: name,
      timestamp: new Date(at * 1000).toISOString().slice(0, 19),
      ...(word === 'play' && numbers),
    }
  }

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
    play(media: Media, position: number, word: Queued['word'] = 'play') {
      queue.push({ media, position, word, at: now(), finished: word === 'play' && position >= media.total })
    },
    subscriptions: () => [...subscriptions].sort(),
    place(media: Media): Place | null {
      const own = queue.findLast(action => action.media.url === media.url)
      const known = told.get(media.url)
      return (own && own.at >= (known?.at ?? 0) ? own : known) ?? null
    },
  }
}
export type SimulatedApp = ReturnType<typeof simulatedApp>
