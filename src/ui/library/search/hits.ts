import type { PersonListed } from '../../../shared/api/people'
import type { Podcast } from '../../../shared/api/podcast'
import type { EpisodeHit } from '../../../shared/api/search'
import type { DirectoryHit } from '../../api/directory'
import type { Found, Scope } from '../../state/search'
import type { Command } from './commands'

/** One option of the search. `all` shows everything of a group. */
export type Hit =
  | { kind: 'podcast'; podcast: Podcast }
  | { kind: 'person'; person: PersonListed }
  | { kind: 'episode'; hit: EpisodeHit }
  | { kind: 'said'; hit: EpisodeHit }
  | { kind: 'directory'; hit: DirectoryHit }
  | { kind: 'command'; command: Command }
  | { kind: 'recent'; words: string }
  | { kind: 'all'; scope: Scope; count: string }

/** Options under a heading; `title` is the key of its text. */
export type Group = { title: string; count: string; hits: readonly Hit[] }

type Given = {
  scope: Scope
  found: Found | null
  inDirectory: readonly DirectoryHit[] | null
  commands: readonly Command[]
}

/** The most options of a group when other groups are shown. */
const MAX_BESIDE_OTHERS = 3

/** Arranges what was found: the library, then the directory, then commands and pages. Empty groups are left out. */
export function groupsOf({ scope, found, inDirectory, commands }: Given): Group[] {
  const isAll = scope === 'everything'
  const group = (title: string, its: Scope, hits: readonly Hit[], hasMore = false): Group => {
    const count = `${hits.length}${hasMore ? '+' : ''}`
    if (!isAll || hits.length <= MAX_BESIDE_OTHERS) return { title, count: hits.length > 1 ? count : '', hits }
    return { title, count, hits: [...hits.slice(0, MAX_BESIDE_OTHERS), { kind: 'all', scope: its, count }] }
  }
  const { podcasts = [], people = [], episodes, said } = found ?? {}
  const groups = [
    group(
      'your-podcasts',
      'podcasts',
      podcasts.map(podcast => ({ kind: 'podcast', podcast })),
    ),
    group(
      'persons',
      'podcasts',
      people.map(person => ({ kind: 'person', person })),
    ),
    group('episodes', 'episodes', hitsOf('episode', episodes?.hits), episodes && episodes.cursor !== null),
    group('said-in-transcripts', 'transcripts', hitsOf('said', said?.hits), said && said.cursor !== null),
    group(
      'in-the-directory',
      'directory',
      (inDirectory ?? []).map(hit => ({ kind: 'directory', hit })),
    ),
    {
      title: 'commands-and-pages',
      count: '',
      hits: commands.slice(0, MAX_BESIDE_OTHERS).map(command => ({ kind: 'command' as const, command })),
    },
  ]
  return groups.filter(({ hits }) => hits.length > 0)
}

const hitsOf = (kind: 'episode' | 'said', hits: readonly EpisodeHit[] = []): Hit[] => hits.map(hit => ({ kind, hit }))

/** A key for React, different for each hit. */
export function keyOf(hit: Hit): string {
  if (hit.kind === 'podcast') return hit.podcast.id
  if (hit.kind === 'person') return `person ${hit.person.name}`
  if (hit.kind === 'episode' || hit.kind === 'said') return `${hit.kind} ${hit.hit.podcastEpisode.id}`
  if (hit.kind === 'directory') return hit.hit.feedUrl
  if (hit.kind === 'command') return hit.command.id
  return hit.kind === 'recent' ? hit.words : `all ${hit.scope}`
}
