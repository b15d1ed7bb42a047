/**
 * A JSON schema of PortCast 0.2.0, written from the description in the draft (draft-trimplayer-portcast-00), since the
 * published one may only be fetched. It is at least as strict: no object has members that the draft does not name.
 */
const text = { type: 'string', minLength: 1 }
const instant = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' }
const seconds = { type: 'number', minimum: 0 }
const address = { type: 'string', pattern: '^https?://' }
const uuid = { type: 'string', pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' }
const platformRefs = { type: 'array', items: text, minItems: 1 }
const anything = { type: 'object' }

const object = (must: readonly string[], properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: 'object',
  required: must,
  properties,
  additionalProperties: false,
  ...more,
})
const anyOf = (...names: string[]) => ({ anyOf: names.map(name => ({ required: [name] })) })
const list = (items: unknown) => ({ type: 'array', items })

const podcastRef = { feedUrl: address, podcastGuid: uuid, platformRefs }
const inPodcast = anyOf('feedUrl', 'podcastGuid', 'platformRefs')
const episodeNames = { guid: text, enclosureUrl: address, platformRefs }
const named = anyOf('guid', 'enclosureUrl', 'platformRefs')
const episodeRef = object([], episodeNames, named)

const subscription = object(
  ['subscriptionId', 'title', 'updatedAt'],
  {
    subscriptionId: text,
    title: text,
    updatedAt: instant,
    ...podcastRef,
    author: text,
    imageUrl: address,
    subscribedAt: instant,
    unsubscribedAt: { anyOf: [instant, { type: 'null' }] },
    tags: list(text),
    notificationsEnabled: { type: 'boolean' },
    identifiers: anything,
    extensions: anything,
  },
  inPodcast,
)

const event = object(['type', 'at'], {
  type: { enum: ['play', 'pause', 'seek', 'complete', 'speed_change', 'bookmark'] },
  at: instant,
  positionSeconds: seconds,
  fromPositionSeconds: seconds,
  speed: { type: 'number' },
  bookmarkRef: text,
})

const episode = object(
  ['episodeStateId', 'subscriptionRef', 'status', 'updatedAt'],
  {
    episodeStateId: text,
    subscriptionRef: object([], podcastRef, inPodcast),
    status: { enum: ['unplayed', 'in_progress', 'completed', 'archived'] },
    updatedAt: instant,
    ...episodeNames,
    title: text,
    publishedAt: instant,
    durationSeconds: seconds,
    positionSeconds: seconds,
    playCount: { type: 'integer', minimum: 0 },
    completedAt: instant,
    firstPlayedAt: instant,
    lastPlayedAt: instant,
    rating: { type: 'number', minimum: 0, maximum: 5 },
    starred: { type: 'boolean' },
    hidden: { type: 'boolean' },
    source: text,
    capturedAt: instant,
    events: list(event),
  },
  {
    allOf: [
      named,
      { anyOf: [{ properties: { status: { not: { const: 'in_progress' } } } }, { required: ['positionSeconds'] }] },
    ],
  },
)

const preferences = {
  playbackRate: { type: 'number' },
  skipForwardSeconds: seconds,
  skipBackwardSeconds: seconds,
  skipIntroSeconds: seconds,
  skipOutroSeconds: seconds,
  trimSilence: { type: 'boolean' },
  boostVoice: { type: 'boolean' },
  autoDownload: { type: 'boolean' },
}

export const portcastSchema = object(['portcast', 'generatedAt', 'generator', 'subscriptions', 'episodes'], {
  portcast: { const: '0.2.0' },
  generatedAt: instant,
  generator: object(['name'], { name: text, version: text, url: address }),
  owner: anything,
  subscriptions: list(subscription),
  episodes: list(episode),
  queue: list(
    object(['position', 'episodeRef'], {
      position: { type: 'integer', minimum: 1 },
      episodeRef,
      addedAt: instant,
      source: text,
    }),
  ),
  bookmarks: list(
    object(['bookmarkId', 'episodeRef', 'atSeconds', 'createdAt'], {
      bookmarkId: text,
      episodeRef,
      atSeconds: seconds,
      createdAt: instant,
      endSeconds: seconds,
      label: text,
      note: text,
      updatedAt: instant,
    }),
  ),
  preferences: object([], {
    global: object([], preferences),
    perFeed: { type: 'object', additionalProperties: object([], preferences), propertyNames: address },
  }),
  completeness: list(
    object(['section', 'source', 'level'], {
      section: { enum: ['subscriptions', 'episodes', 'queue', 'bookmarks', 'preferences'] },
      source: text,
      level: { enum: ['full', 'partial', 'current-state-only'] },
      since: instant,
      until: instant,
    }),
  ),
  extensions: anything,
})
