import { useState } from 'react'
import { useLocation } from 'wouter'
import type { EpisodeHit } from '../../../shared/api/search'
import type { DirectoryHit } from '../../api/directory'
import { useApp } from '../../app-context'
import { translate } from '../../i18n'
import { routes } from '../../routes'
import type { Search } from '../../state/search'
import type { Manner } from '../../components/use-combobox'
import { episodeActions } from '../episodes/episode-actions'
import type { Hit } from './hits'

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
