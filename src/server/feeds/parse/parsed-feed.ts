import type { LiveItem } from '../../../shared/api/playables'
import type { EpisodeType } from '../../../shared/api/episode'
import type {
  ChannelTags,
  Chat,
  CommonTags,
  ContentLink,
  ItemTags,
  Location,
  Person,
  RemoteItem,
  Social,
  Value,
} from '../../../shared/api/podcast-tags'
import type { ChapterFacts } from '../../store/documents'

/** The most items of one feed; the newest come first. */
export const MAX_ITEMS = 50_000

/** A feed of any format. Texts are as the feed has them, not yet sanitised. */
export type ParsedFeed = {
  title: string
  link: string | null
  /** HTML or plain text. */
  summary: string | null
  author: string | null
  language: string | null
  keywords: string | null
  explicit: boolean
  /** Meant to be played from the first episode on. */
  serial: boolean
  imageUrl: string | null
  guid: string | null
  medium: string | null
  builtAt: number | null
  newFeedUrl: string | null
  /** Minutes that the feed asks to be left alone. */
  ttlMinutes: number | null
  /** The publisher says that nothing more will come. */
  complete: boolean
  nextPage: string | null
  extras: {
    funding: { url: string; text: string }[]
    persons: Person[]
    podroll: RemoteItem[]
    trailers?: ParsedTrailer[]
    live?: ParsedLiveItem[]
    /** iTunes categories, each followed by its subcategories. */
    categories?: string[][]
    owner?: { name: string | null; email: string | null }
  } & CommonTags &
    ChannelTags
  items: ParsedItem[]
}

/** A trailer of the podcast; `pubdate` as an ISO text, `length` in bytes. */
export type ParsedTrailer = {
  url: string
  title: string
  season?: number
  pubdate?: string
  type?: string
  length?: number
}
/** An announced live stream; instants as ISO texts. `url`: the page to follow it on, or else the stream itself. */
export type ParsedLiveItem = {
  /** Short, and safe in an address. */
  id: string
  guid: string
  status: LiveItem['status']
  title: string
  start: string
  end?: string
  url?: string
  contentLinks?: ContentLink[]
  enclosure?: { url: string; type: string }
  forms?: ParsedForm[]
  chat?: Chat[]
}
/**
 * Another form of a recording (`podcast:alternateEnclosure`). `id`: short, safe in an address, and the same as long as
 * its first source is; `size` in bytes, `bitrate` in bits a second, `height` in pixels.
 */
export type ParsedForm = {
  id: string
  type: string
  sources: { url: string; type?: string }[]
  isDefault: boolean
  size?: number
  bitrate?: number
  height?: number
  title?: string
  language?: string
  codecs?: string
  rel?: string
  integrity?: { type: 'sri' | 'pgp-signature'; value: string }
}
export type ParsedTranscript = { url: string; type: string; language?: string; captions?: boolean }
export type ParsedEnclosure = { url: string; type: string | null; size: number | null }

export type ParsedItem = {
  guid: string | null
  title: string
  notes: string
  link: string | null
  /** The one to play, or null when the item has nothing to play. */
  enclosure: ParsedEnclosure | null
  imageUrl: string | null
  announcedAt: number | null
  /** Seconds, 0 = unknown. */
  duration: number
  season: number | null
  number: number | null
  type: EpisodeType
  explicit: boolean | null
  chaptersUrl: string | null
  transcripts: ParsedTranscript[]
  /** Chapters in the feed itself, if there are any. */
  chapters?: ChapterFacts[]
  persons: Person[]
  soundbites: { startTime: number; duration: number; title?: string }[]
  location: Location[] | null
  value?: Value
  social?: Social[]
  /** Absent where it is that of the feed. */
  author?: string
  /** The other tags of the podcast namespace, if there are any. */
  tags?: Omit<CommonTags, 'locations' | 'value' | 'social'> & ItemTags
  forms?: ParsedForm[]
  /** A trailer of the podcast that the feed doesn't list among its items. */
  isAside?: true
}

/** A reader of one format: the feed without its items, and how to read an item. */
export type FormatReader<Node> = {
  feed: Omit<ParsedFeed, 'items'>
  readItem: (node: Node) => ParsedItem
  /** Everything outside an item that its reading depends on. */
  context: string
  /** Whether the last item that was read can't be understood without the others. */
  dependsOnOthers?: () => boolean
  /** Corrects the items, all that were read and in their order, by what only all of them together show. */
  settle?: (items: readonly ParsedItem[]) => void
}

/** Items by the hash of what they were read from, as far as the library knows them. */
export type Recall = (hash: number) => ParsedItem | null

/** A body that is not a feed. `type` is what it looks like instead; `alternates` are feeds that a web page names. */
export class NotAFeed extends Error {
  override name = 'NotAFeed'
  constructor(
    readonly type: string,
    readonly alternates: readonly string[] = [],
  ) {
    super(`Not a feed: ${type}`)
  }
}

/** An item that can be played. */
export type PlayableItem = ParsedItem & { enclosure: ParsedEnclosure }

export const isPlayable = (item: ParsedItem): item is PlayableItem => item.enclosure !== null

/** A digest of an item's JSON that distinguishes an edited item from an unchanged one, without sanitising it first. */
export const markOf = (json: string) => Bun.hash(json).toString(36)

const MAX_TITLE = 1000

/** The title under which an item is kept: its own, else the name of its file. */
export const titleOf = (item: PlayableItem) => item.title.slice(0, MAX_TITLE) || fileName(item.enclosure.url)

function fileName(address: string): string {
  const last = URL.parse(address)?.pathname.split('/').pop() ?? ''
  try {
    return decodeURIComponent(last) || address
  } catch {
    return last || address
  }
}
