import { textOf } from '../feeds/parse/notes-text'
import { Problem } from '../platform/problem'

/** The variables of a naming format; `{title}` and `{episodeTitle}` mean the same. */
const podcastVariables = ['title', 'description', 'language', 'explicit', 'keywords', 'date'] as const
const episodeVariables = ['title', 'date', 'description', 'duration', 'guid', 'url', 'episodeNumber'] as const

type Kind = 'podcast' | 'episode'
type PodcastVariable = (typeof podcastVariables)[number]
type EpisodeVariable = (typeof episodeVariables)[number]
type PodcastValues = Record<PodcastVariable, string>
type EpisodeValues = Record<EpisodeVariable, string>

const variables: Record<Kind, readonly string[]> = { podcast: podcastVariables, episode: episodeVariables }

/** Finds the variable for a name in braces; null if there is none. */
function findVariable(name: string, kind: Kind): string | null {
  const bare = name.startsWith(kind) && name !== 'episodeNumber' ? name.slice(kind.length) : name
  const variable = bare.charAt(0).toLowerCase() + bare.slice(1)
  return variables[kind].includes(variable) ? variable : null
}

/** Throws `invalid-format` for an unknown variable and for an unmatched brace. */
export function requireFormat(field: string, format: string, kind: Kind) {
  const rest = format.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    if (findVariable(name.trim(), kind) === null) throw invalidFormat(field, whole, `${whole} is not a known variable`)
    return ''
  })
  const brace = /[{}].{0,30}/.exec(rest)
  if (brace) throw invalidFormat(field, brace[0], `a brace has no partner: ${brace[0]}`)
}

const invalidFormat = (field: string, variable: string, reason: string) =>
  new Problem('invalid-format', `${field}: ${reason}`, { field, variable })

/** Puts the values into a format that `requireFormat` accepts; returns the title if the result is blank. */
export function fill(format: string, kind: Kind, values: PodcastValues | EpisodeValues): string {
  const filled = format.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = findVariable(name.trim(), kind)
    return variable ? (values as Record<string, string>)[variable]! : ''
  })
  return filled.trim() === '' ? values.title : filled
}

export const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
/** Takes the first 100 characters of a text, without its HTML. */
const excerpt = (html: string | null) => textOf(html ?? '').slice(0, 100)

/** Returns the values of a podcast for its folder's name. */
export const podcastValues = (podcast: {
  title: string
  summary: string | null
  language: string | null
  explicit: number
  keywords: string | null
  built_at: number | null
  added_at: number
}): PodcastValues => ({
  title: podcast.title,
  description: excerpt(podcast.summary),
  language: podcast.language ?? '',
  explicit: podcast.explicit ? 'explicit' : 'clean',
  keywords: podcast.keywords ?? '',
  date: dayOf(podcast.built_at ?? podcast.added_at),
})

/** Pads the place of an episode (1 = the oldest) to the width of the count, so that file names sort: `007` of 120. */
export const paddedNumber = ({ number, count }: { number: number; count: number }) =>
  String(number).padStart(String(count).length, '0')

/** Returns the values of an episode for its file's name. */
export const episodeValues = (
  episode: {
    title: string
    notes: string
    published_at: number
    duration: number
    guid: string
    enclosure_url: string
  },
  place: { number: number; count: number },
): EpisodeValues => ({
  title: episode.title,
  date: dayOf(episode.published_at),
  description: excerpt(episode.notes),
  duration: String(episode.duration),
  guid: episode.guid,
  url: episode.enclosure_url,
  episodeNumber: paddedNumber(place),
})

/** Values for the preview of a format while a person types it. */
const sample = { title: 'My Homelab', description: 'The homelab podcast', date: '2023-12-24' }
export const samplePodcast: PodcastValues = {
  ...sample,
  title: 'The homelab podcast',
  language: 'en',
  explicit: 'clean',
  keywords: 'Technology',
}
export const sampleEpisode: EpisodeValues = {
  ...sample,
  duration: '1200',
  guid: 'my-homelab',
  url: 'https://homelab.example/my-homelab.mp3',
  episodeNumber: '01',
}
