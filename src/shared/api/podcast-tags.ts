import { Type, type Static } from '@sinclair/typebox'

// The tags of the podcast namespace: https://github.com/Podcastindex-org/podcast-namespace

const Text = Type.String()
const Maybe = Type.Optional(Text)

/** A person, with the `role` and the `group` of roles; `img` is a picture, `href` a page. */
export const Person = Type.Object({ name: Text, role: Maybe, group: Maybe, img: Maybe, href: Maybe })
export type Person = Static<typeof Person>

/** A place that the content is about (`subject`) or was made in (`creator`). */
export const Location = Type.Object({
  name: Text,
  rel: Type.Optional(Type.Union([Type.Literal('subject'), Type.Literal('creator')])),
  /** A geo URI, RFC 5870: `geo:30.2672,97.7431`. */
  geo: Maybe,
  /** The object in OpenStreetMap: `N`, `W` or `R` and a number. */
  osm: Maybe,
  /** ISO 3166-1 alpha-2. */
  country: Maybe,
})
export type Location = Static<typeof Location>

/** A place where people talk about a podcast or an episode, such as a post on Mastodon. */
export const Social = Type.Object({ uri: Text, protocol: Text, accountId: Maybe, accountUrl: Maybe })
export type Social = Static<typeof Social>

/** A podcast, or an episode of one (`itemGuid`), named by another feed. */
export const RemoteItem = Type.Object({
  feedGuid: Maybe,
  feedUrl: Maybe,
  itemGuid: Maybe,
  medium: Maybe,
  title: Maybe,
})
export type RemoteItem = Static<typeof RemoteItem>

/** `split`: shares of the whole, or percent if `fee`. */
export const ValueRecipient = Type.Object({
  name: Maybe,
  type: Maybe,
  address: Maybe,
  customKey: Maybe,
  customValue: Maybe,
  split: Type.Optional(Type.Number()),
  fee: Type.Optional(Type.Boolean()),
})
export type ValueRecipient = Static<typeof ValueRecipient>

/** A part of an episode, in seconds, whose payments go to others: to recipients, or to what another feed names. */
export const ValueTimeSplit = Type.Object({
  startTime: Type.Number(),
  duration: Type.Number(),
  remoteStartTime: Type.Optional(Type.Number()),
  remotePercentage: Type.Optional(Type.Number()),
  recipients: Type.Array(ValueRecipient),
  remoteItem: Type.Optional(RemoteItem),
})
export type ValueTimeSplit = Static<typeof ValueTimeSplit>

/** The recipients of payments and the way to pay them. Castellan shows them and pays nobody. */
export const Value = Type.Object({
  type: Maybe,
  method: Maybe,
  suggested: Maybe,
  recipients: Type.Array(ValueRecipient),
  timeSplits: Type.Optional(Type.Array(ValueTimeSplit)),
})
export type Value = Static<typeof Value>

/** The name, or SPDX identifier, of a licence. */
export const License = Type.Object({ name: Text, url: Maybe })
export type License = Static<typeof License>

export const FreeText = Type.Object({ purpose: Maybe, text: Text })
export type FreeText = Static<typeof FreeText>

/** A chat room, such as a channel of IRC or a room of Matrix. */
export const Chat = Type.Object({ server: Text, protocol: Text, accountId: Maybe, space: Maybe })
export type Chat = Static<typeof Chat>

export const ContentLink = Type.Object({ href: Text, text: Text })
export type ContentLink = Static<typeof ContentLink>

/** Times of new episodes: in words, and as a rule of RFC 5545 that counts from `dtstart`. */
export const UpdateFrequency = Type.Object({
  text: Maybe,
  rrule: Maybe,
  dtstart: Maybe,
  complete: Type.Optional(Type.Boolean()),
})
export type UpdateFrequency = Static<typeof UpdateFrequency>

/** Whether a service, or every one without an `id`, is asked not to list the feed. */
export const Block = Type.Object({ id: Maybe, block: Type.Boolean() })
export type Block = Static<typeof Block>

/** Whether other hosts are asked not to import the feed. */
export const Locked = Type.Object({ locked: Type.Boolean(), owner: Maybe })
export type Locked = Static<typeof Locked>

const List = <T extends Parameters<typeof Type.Array>[0]>(item: T) => Type.Optional(Type.Array(item))

/** The tags that a podcast and an episode have in common; each is absent where the feed lacks it. */
export const commonTags = {
  locations: List(Location),
  value: Type.Optional(Value),
  social: List(Social),
  license: Type.Optional(License),
  txt: List(FreeText),
  chat: List(Chat),
  contentLinks: List(ContentLink),
}
const CommonTags = Type.Object(commonTags)
export type CommonTags = Static<typeof CommonTags>

export const channelTags = {
  updateFrequency: Type.Optional(UpdateFrequency),
  publisher: Type.Optional(RemoteItem),
  block: List(Block),
  locked: Type.Optional(Locked),
}
const ChannelTags = Type.Object(channelTags)
export type ChannelTags = Static<typeof ChannelTags>

export const itemTags = {
  seasonName: Maybe,
  /** Text to show in place of the number. */
  episodeDisplay: Maybe,
}
const ItemTags = Type.Object(itemTags)
export type ItemTags = Static<typeof ItemTags>
