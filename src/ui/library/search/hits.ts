import { useState } from 'react'
import { useLocation } from 'wouter'
import type { EpisodeHit, PersonListed } from '../../../shared/api/search'
import type { Podcast } from '../../../shared/api/podcast'
import type { DirectoryHit } from '../../api/directory'
import { useApp } from '../../app-context'
import type { Manner } from '../../components/use-combobox'
import { translate } from '../../i18n'
import { routes } from '../../routes'
import type { Found, Scope, Search } from '../../state/search'
import { episodeActions } from '../episodes/episode-actions'
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

export type HitActions = ReturnType<typeof useHitActions>

/** Returns the actions of a search's hits. `onLeft` runs when the page behind the search is what one looks at next. */
export function useHitActions(search: Search, onLeft: () => void) {
  const app = useApp()
  const [, navigate] = useLocation()
  const adding = useAddHit()

  function go(path: string) {
    onLeft()
    navigate(path)
  }
  function play(hit: EpisodeHit) {
    search.remember()
    onLeft()
    const actions = episodeActions(app, hit, hit.podcastName)
    if (hit.startMs === undefined) actions.play()
    else actions.playAt(hit.startMs / 1000)
  }
  function openDirectory(hit: DirectoryHit) {
    const known = adding.idOf(hit)
    if (known !== null) return go(routes.episodes(known))
    onLeft()
    app.addPodcast.open(hit.feedUrl)
  }
  function open(hit: Hit) {
    if (hit.kind === 'all') return search.choose(hit.scope)
    if (hit.kind === 'recent') return search.type(hit.words)
    search.remember()
    if (hit.kind === 'podcast') return go(routes.episodes(hit.podcast.id))
    if (hit.kind === 'person') return go(routes.person(hit.person.name))
    if (hit.kind === 'directory') return openDirectory(hit.hit)
    if (hit.kind === 'command') {
      onLeft()
      return hit.command.run()
    }
    return go(addressOf(hit.hit))
  }
  function choose(hit: Hit, manner: Manner) {
    const isEpisode = hit.kind === 'episode' || hit.kind === 'said'
    if (isEpisode && manner === 'shift') play(hit.hit)
    else if (isEpisode && manner === 'alt') episodeActions(app, hit.hit, hit.hit.podcastName).queueLast()
    else if (hit.kind === 'directory' && manner === 'shift') adding.add(hit.hit)
    else open(hit)
  }
  return { choose, play, adding }
}

/** The page of a hit; for one in a transcript or a chapter, at its moment. */
const addressOf = ({ podcastEpisode: { podcast_id, id }, startMs }: EpisodeHit) =>
  routes.episodes(podcast_id, id, startMs === undefined ? undefined : startMs / 1000)

/** Adds what the directory found, in place. */
function useAddHit() {
  const { library, toasts, failed } = useApp()
  const [added, setAdded] = useState<ReadonlyMap<string, string | 'busy'>>(new Map())
  const note = (feedUrl: string, id: string | null) =>
    setAdded(before => {
      const next = new Map(before)
      if (id === null) next.delete(feedUrl)
      else next.set(feedUrl, id)
      return next
    })
  return {
    isBusy: ({ feedUrl }: DirectoryHit) => added.get(feedUrl) === 'busy',
    idOf({ feedUrl, podcastId }: DirectoryHit): string | null {
      const id = added.get(feedUrl) ?? podcastId
      return id === 'busy' ? null : id
    },
    add(hit: DirectoryHit) {
      if (added.has(hit.feedUrl) || hit.podcastId !== null) return
      note(hit.feedUrl, 'busy')
      library.add(hit.feedUrl).then(
        podcast => {
          note(hit.feedUrl, podcast.id)
          toasts.done(translate('podcast-added', { name: podcast.name }))
        },
        error => {
          note(hit.feedUrl, null)
          failed(error)
        },
      )
    },
  }
}
