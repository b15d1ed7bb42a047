import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { AssistantSignedIn } from '../../../accounts/sign-in/apps'
import { textOf } from '../../../feeds/parse/notes-text'
import type { Store } from '../../../store'
import { type EpisodeForUser, hasTranscript } from '../../../store/episodes'
import type { Viewer } from '../../../store/visibility'
import { writeInstant } from '../../core/instants'

/** The caller of a tool; `base`: the address of the server, with a trailing slash. */
export type Caller = AssistantSignedIn & { base: string }

/** Answer of a tool: text for the model, and the same as data for programs. */
export type Outcome = { text: string; data: Record<string, unknown> }

/** A tool as it is listed and called; its arguments were checked by `input` before. */
export type Tool = {
  name: string
  title: string
  description: string
  input: TSchema & { properties: TProperties }
  changes: boolean
  run: (caller: Caller, args: never) => Outcome | Promise<Outcome>
}

/** Writes a tool whose `run` knows its arguments by their schema. */
export function tool<P extends TProperties>(
  facts: Pick<Tool, 'name' | 'title' | 'description'> & { changes?: boolean; properties: P },
  run: (caller: Caller, args: Static<TObject<P>>) => Outcome | Promise<Outcome>,
): Tool {
  const { properties, changes = false, ...named } = facts
  return { ...named, changes, input: Type.Object(properties, { additionalProperties: false }), run }
}

export const Id = (description: string) => Type.String({ minLength: 1, maxLength: 100, description })
export const Limit = (maximum: number, fallback: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, default: fallback, description: 'The most entries to answer' }))
export const Cursor = Type.Optional(
  Type.String({ maxLength: 200, description: 'The next_cursor of an earlier answer, for what follows it' }),
)
export const Flag = (description: string) => Type.Optional(Type.Boolean({ default: false, description }))
export const Day = (description: string) =>
  Type.Optional(
    Type.String({ maxLength: 40, description: `${description}: a day such as 2026-03-01, or an instant in ISO 8601` }),
  )

/** An episode in the words of the tools; seconds. */
type EpisodeFacts = {
  id: string
  title: string
  podcast: string
  podcast_id: string
  published: string | null
  duration: number | null
  state: 'unplayed' | 'begun' | 'played'
  position: number | null
  liked: boolean
  downloaded: boolean
  has_transcript: boolean
  link: string
}

const MAX_TITLE = 300

export const episodeFacts = (row: EpisodeForUser, podcast: string, base: string): EpisodeFacts => ({
  id: row.uuid,
  title: cut(row.title, MAX_TITLE),
  podcast: cut(podcast, MAX_TITLE),
  podcast_id: row.podcast_uuid,
  published: row.dated ? writeInstant(row.published_at) : null,
  duration: row.duration || null,
  state: row.playback_finished ? 'played' : row.playback_position ? 'begun' : 'unplayed',
  position: row.playback_position ? Math.floor(row.playback_position) : null,
  liked: row.liked === 1,
  downloaded: row.file_path !== null,
  has_transcript: hasTranscript(row),
  link: linkTo(base, row),
})

/** The page of an episode; `at`: a moment in it, in seconds. */
export const linkTo = (base: string, row: { podcast_uuid: string; uuid: string }, at?: number) =>
  `${base}ui/podcasts/${row.podcast_uuid}/episodes/${row.uuid}${at === undefined ? '' : `?t=${Math.floor(at)}`}`

/** One episode as an entry of a list, in two lines. */
export function describeEpisode(facts: EpisodeFacts): string {
  const { title, podcast, published, duration, state, position, liked, id, link } = facts
  const parts = [
    podcast,
    published?.slice(0, 10),
    duration && clock(duration),
    state === 'begun' && position ? `played to ${clock(position)}` : state,
    liked && 'liked',
  ]
  return `- ${title} (${parts.filter(Boolean).join(', ')})\n  id ${id}, ${link}`
}

/** Seconds as people write them: 1:02:03, or 2:03. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** A number with its noun, which ends in s for all but one: 1 podcast, 2 podcasts. */
export const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

/** Seconds as a length: 3 h 20 min. */
export function hours(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Shortens a text to at most `most` UTF-16 units, without splitting a surrogate pair. */
export const cut = (text: string, most: number) =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`

/** Escaped HTML as plain text. */
export const plain = (html: string) => textOf(html)

/** A list under its heading, with what to say of an empty one, and of one that continues. */
export function writeList(heading: string, entries: readonly string[], next: string | null, empty: string): string {
  if (entries.length === 0) return empty
  return [`${heading}:`, ...entries, ...(next ? [`There is more: next_cursor ${next}`] : [])].join('\n')
}

/** Episodes with the titles of their podcasts. */
export function presentEpisodes(store: Store, viewer: Viewer, rows: readonly EpisodeForUser[], base: string) {
  const podcasts = store.podcasts.mapFor(viewer, [...new Set(rows.map(row => row.podcast_uuid))])
  return rows.map(row => episodeFacts(row, podcasts.get(row.podcast_uuid)?.title ?? '', base))
}
