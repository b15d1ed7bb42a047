import type { DirectoryPodcast } from '../../shared/api/directory'
import type { Config } from '../config'
import { type Clock, HOUR, MINUTE, SECOND } from '../platform/clock'
import { Problem } from '../platform/problem'
import { createDirectories } from './directories'
import { createFindLink } from './links'
import { type OpmlTasks, readOpml } from '../opml/file'
import { fetchDocument, type Outbound } from '../outbound/request'
import type { Thread } from '../thread'

type Needs = Omit<Parameters<typeof createDirectories>[0], 'keys'> &
  StarterNeeds & { config: Pick<Config, 'podindex' | 'starterOpml'> }

/** Creates everything that asks directories of podcasts. */
export function createDirectory({ config: { podindex, starterOpml }, ...needs }: Needs) {
  const directories = createDirectories({ ...needs, keys: podindex })
  const finding = { ...needs, directories, hasPodindex: podindex !== null }
  return { directories, popular: createPopular({ ...finding, starterOpml }), findLink: createFindLink(finding) }
}

type Directories = Pick<ReturnType<typeof createDirectories>, 'itunesPopular' | 'trending'>
type PopularPodcast = Omit<DirectoryPodcast, 'podcastId'> & { explicit: boolean }
type PopularNeeds = StarterNeeds & {
  directories: Directories
  now: Clock
  hasPodindex: boolean
  starterOpml: string | null
}
type Entry = { answer: Promise<PopularPodcast[] | null>; until: number }

const ASKED_FOR = 24
const MAX_COUNTRIES = 50
const FRESH_MS = 12 * HOUR
/** The time for which a directory that does not answer is left alone. */
const FAILED_MS = 5 * MINUTE

/**
 * Lists podcasts to begin with: those that the admin offers, else popular ones of a country, from the Podcast Index if
 * the server has a key, else from iTunes. An answer is cached for half a day. Null if the directory does not answer.
 */
function createPopular({ directories, now, hasPodindex, starterOpml, ...needs }: PopularNeeds) {
  const kept = new Map<string, Entry>()
  const find = (country: string): Promise<PopularPodcast[]> => {
    if (starterOpml !== null) return readStarters(needs, starterOpml)
    return hasPodindex ? fromPodindex(directories, country) : fromItunes(directories, country)
  }

  return (wanted: string): Promise<PopularPodcast[] | null> => {
    // The admin's podcasts are the same in every country.
    const country = starterOpml === null ? wanted : ''
    const known = kept.get(country)
    if (known && known.until > now()) return known.answer
    kept.delete(country)
    if (kept.size >= MAX_COUNTRIES) kept.delete(kept.keys().next().value!)
    const answer = find(country).catch(error => {
      if (!(error instanceof Problem)) throw error
      entry.until = now() + FAILED_MS
      return null
    })
    const entry: Entry = { answer, until: now() + FRESH_MS }
    kept.set(country, entry)
    return entry.answer
  }
}

async function fromItunes({ itunesPopular }: Directories, country: string): Promise<PopularPodcast[]> {
  const found = await itunesPopular(country, ASKED_FOR)
  return found.map(({ feedUrl, trackName, artistName, artworkUrl600, artworkUrl100, isExplicit }) => ({
    feedUrl: feedUrl!,
    title: trackName,
    author: artistName,
    image: artworkUrl600 ?? artworkUrl100 ?? null,
    explicit: isExplicit,
  }))
}

async function fromPodindex({ trending }: Directories, country: string): Promise<PopularPodcast[]> {
  // The index has languages instead of countries.
  const language = new Intl.Locale('und', { region: country.toUpperCase() }).maximize().language
  const found = await trending({ limit: ASKED_FOR, language: language === 'und' ? undefined : language })
  return found.map(({ url, title, author, artwork, image, explicit }) => ({
    feedUrl: url,
    title,
    author: author ?? '',
    image: artwork ?? image ?? null,
    explicit,
  }))
}

type StarterNeeds = { outbound: Outbound; thread: Thread<OpmlTasks> }

const MAX_BYTES = 1024 * 1024

/** Reads the podcasts that an admin offers to empty libraries. Throws `directory-unreachable`. */
async function readStarters({ outbound, thread }: StarterNeeds, place: string) {
  try {
    const file = /^https?:/i.test(place)
      ? await fetchDocument(outbound, place, {
          reach: await outbound.reachOf(place, true),
          headers: { Accept: 'text/x-opml, text/xml, */*;q=0.5' },
          maxBytes: MAX_BYTES,
          idleMs: 10 * SECOND,
        })
      : await Bun.file(place).text()
    const outlines = await readOpml(thread, file)
    return outlines.map(({ title, feedUrl }) => ({
      feedUrl,
      title: title ?? feedUrl,
      author: '',
      image: null,
      explicit: false,
    }))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Problem('directory-unreachable', `STARTER_OPML can't be read: ${reason}`, { directory: 'STARTER_OPML' })
  }
}
