import type { Episode, EpisodeWrapper } from '../../shared/api/episode'
import type { History, Progress } from '../../shared/api/history'
import type { Queue, QueueAddition, QueueItem } from '../../shared/api/queue'
import { type Act, LATER } from './acts'
import { afterProgress } from './kept'

/** `positions`: the last unsent position of each episode, by its `episode_id`. */
type Done = { acts: readonly Act[]; positions: Readonly<Record<string, Progress>> }

/** Edits an answer that this device kept by what was done here since, and the server does not know yet. */
export function revise(data: unknown, path: string, done: Done): unknown {
  const edited = editEpisodes(data, done)
  return path.endsWith('/queue') ? reviseQueue(edited as Queue, done) : edited
}

const reviseQueue = (queue: Queue, { acts }: Done): Queue => ({
  ...queue,
  items: acts.reduce((items, act) => {
    if (act.kind === 'unqueue') return items.filter(({ id }) => id !== act.args[0])
    return act.kind === 'queue' && act.shown ? queuedLater(items, act.shown, act.args[0].at) : items
  }, queue.items),
})

type Row = { podcastEpisode?: Episode; podcastHistoryItem?: History; podcast_episode?: Episode; history?: History }

/** Edits every row of an episode, however deep it is. */
function editEpisodes(value: unknown, done: Done): unknown {
  if (Array.isArray(value)) return value.map(one => editEpisodes(one, done))
  if (typeof value !== 'object' || value === null) return value
  const row = value as Row
  const { podcastEpisode, podcastHistoryItem, podcast_episode, history } = row
  if (podcastEpisode)
    return {
      ...row,
      podcastEpisode: liked(podcastEpisode, done),
      podcastHistoryItem: played(podcastEpisode, podcastHistoryItem, done),
    }
  if (podcast_episode)
    return { ...row, podcast_episode: liked(podcast_episode, done), history: played(podcast_episode, history, done) }
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, editEpisodes(one, done)]))
}

function liked(episode: Episode, { acts }: Done): Episode {
  const last = acts.findLast(({ kind, args }) => kind === 'like' && args[0] === episode.id)
  return last?.kind === 'like' ? { ...episode, favored: last.args[1] } : episode
}

function played({ episode_id: eid }: Episode, history: History | undefined, { acts, positions }: Done) {
  const marks = acts.flatMap(({ kind, args, at }) =>
    kind === 'mark' && args[0].podcastEpisodeId === eid ? [{ ...args[0], timestamp: at }] : [],
  )
  const [last] = [...marks, positions[eid]]
    .filter(progress => progress !== undefined)
    .toSorted((one, other) => (other.timestamp ?? '').localeCompare(one.timestamp ?? ''))
  return last ? afterProgress(history, last) : history
}

/** A queue with an episode that the server adds later. */
export function queuedLater(items: readonly QueueItem[], shown: EpisodeWrapper, at: QueueAddition['at']): QueueItem[] {
  const { podcastEpisode, podcastHistoryItem = null } = shown
  const id = LATER + podcastEpisode.id
  const item = { id, addedAt: new Date().toISOString(), automatic: false, podcastEpisode, podcastHistoryItem }
  const others = items.filter(other => other.podcastEpisode.id !== podcastEpisode.id)
  return others.toSpliced(at === 'next' ? 0 : typeof at === 'number' ? at : others.length, 0, item)
}
