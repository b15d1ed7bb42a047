import { HOUR } from '../../platform/clock'
import type {
  ExportedEpisode,
  ExportedListening,
  ExportedPodcast,
  ExportedSkipMark,
  NamedInExport,
} from '../../store/exports'
import { rulesOf } from '../../library/playlists'
import { playerChoiceOf } from '../../store/users'
import { writePortableRules, writeRules } from '../portable-rules'
import {
  episodesOf,
  filesOf,
  given,
  instant,
  keptIn,
  type Leaving,
  listedIn,
  maySeeRules,
  podcastsOf,
  writeList,
} from './leaving'

/** Version of the contents of `extensions.castellan`; docs/internals/portcast.md describes them. */
const VERSION = 1
/** An import doesn't read more of them. */
const MAX_NOTES = 20_000

/** Writes the facts that PortCast has no member for. */
export async function* writeOwn(leaving: Leaving): AsyncGenerator<string> {
  yield `"version":${VERSION},\n`
  yield* writeList('tags', tagPages(leaving))
  yield ',\n'
  yield* writeList('podcasts', podcastPages(leaving))
  yield ',\n'
  yield* writeList('episodes', episodePages(leaving))
  yield ',\n'
  yield* writeList('playlists', playlistPages(leaving))
  yield ',\n'
  yield* writeList('listed', listedPages(leaving))
  const { name, continue_with } = leaving.store.queue.find(leaving.user.id)
  yield `,\n"queue":${JSON.stringify(given({ name, continueWith: continue_with }))},\n`
  const { nextKey, rewind, levelVolume } = playerChoiceOf(leaving.user)
  yield `"player":${JSON.stringify({ nextKey, rewind, levelVolume })},\n`
  yield* writeList('queues', queuePages(leaving))
  yield ',\n'
  yield* writeList('kept', keptPages(leaving))
  yield ',\n'
  yield* writeList('files', filePages(leaving))
}

async function* tagPages({ store, user }: Leaving) {
  yield store.tags.listFor(user.id).map(({ name, color, description }) => given({ name, color, description }))
}

async function* podcastPages(leaving: Leaving) {
  for await (const podcast of podcastsOf(leaving)) {
    const facts = factsOf(leaving, podcast)
    if (Object.keys(facts).length > 0) yield [{ feedUrl: podcast.feed_url, ...facts }]
  }
}

function factsOf(leaving: Leaving, { id, title, renamed, active }: ExportedPodcast) {
  const { store, secret, user, withPasswords } = leaving
  const preferences = store.podcastSettings.preferencesOf(user.id, id)
  const { boost, skipSilence, skipMarked, queueNew, queueMost, form, notify, inTimeline } = preferences
  const rules = maySeeRules(leaving) ? writeRules(store.podcastSettings.of(id)) : {}
  const sealed = withPasswords ? store.podcasts.findCredential(id) : null
  return given({
    ownTitle: renamed ? title : null,
    active: active ? null : false,
    volumePercent: boost,
    skipSilence,
    skipMarked: skipMarked ? true : null,
    queueNew,
    queueMost: queueNew && queueMost,
    form,
    notify,
    inTimeline: inTimeline ? null : false,
    rules: Object.keys(rules).length > 0 ? rules : null,
    credentials: sealed && (JSON.parse(secret.open(sealed)) as unknown),
  })
}

async function* episodePages(leaving: Leaving) {
  const { store, user } = leaving
  for await (const page of episodesOf(leaving)) {
    const named = page.filter(row => row.is_named === 1).map(row => row.id)
    const marks = Map.groupBy(store.exports.skipMarksIn(user.id, named), row => row.episode_id)
    const listening = Map.groupBy(store.exports.listeningIn(user.id, named), row => row.episode_id)
    yield page.flatMap(row => {
      const listened = listening.get(row.id)?.map(listenedOf)
      const facts = given({
        likedAt: instant(row.liked_at),
        removed: row.removed ? true : null,
        listened,
        skipMarks: marks.get(row.id)?.map(markOf),
        ...(row.in_feed === 0 && goneFacts(row)),
      })
      return Object.keys(facts).length > 0 ? [{ ...refOf(row), ...facts }] : []
    })
  }
}

/** `saved` and `trimmed` follow where one of them was measured. */
const listenedOf = ({ hour, seconds, saved, trimmed }: ExportedListening) => [
  instant(hour * HOUR),
  seconds,
  ...(saved === null && trimmed === null ? [] : [saved, trimmed]),
]

const markOf = ({ start_ms, end_ms, skip, created_at }: ExportedSkipMark) => ({
  start: start_ms / 1000,
  end: end_ms / 1000,
  skip: skip === 1,
  createdAt: instant(created_at),
})

/** The data from which an episode that its feed has dropped can be recreated. */
const goneFacts = ({ notes, author, link, enclosure_type }: ExportedEpisode) => ({
  gone: true,
  notes: notes?.slice(0, MAX_NOTES) || null,
  author,
  link,
  mediaType: enclosure_type,
})

const refOf = (row: NamedInExport) =>
  given({
    feedUrl: row.feed_url,
    guid: row.feed_guid,
    enclosureUrl: row.enclosure_url,
    title: row.title,
    publishedAt: instant(row.announced_at ?? row.published_at),
    durationSeconds: row.duration || null,
  })

async function* playlistPages({ store, user }: Leaving) {
  yield store.playlists.listFor(user.id).map(playlist => {
    const rules = rulesOf(playlist)
    return given({
      name: playlist.name,
      description: playlist.description,
      createdAt: instant(playlist.created_at),
      rules: rules && writePortableRules(store, user, rules),
    })
  })
}

async function* listedPages(leaving: Leaving) {
  for (const playlist of leaving.store.playlists.listFor(leaving.user.id))
    for await (const page of listedIn(leaving, playlist))
      yield page.map(row => ({ list: playlist.name, ...refOf(row) }))
}

async function* queuePages({ store, user }: Leaving) {
  yield store.savedQueues
    .listFor(user.id)
    .map(({ uuid, name, saved_at }) => given({ id: uuid, name, savedAt: instant(saved_at) }))
}

async function* keptPages(leaving: Leaving) {
  for (const { id, uuid } of leaving.store.savedQueues.listFor(leaving.user.id))
    for await (const page of keptIn(leaving, id)) yield page.map(row => ({ queue: uuid, ...refOf(row) }))
}

async function* filePages(leaving: Leaving) {
  for await (const page of filesOf(leaving))
    yield page.map(row => ({ ...refOf(row), path: row.file_path, bytes: row.file_size, id: row.eid }))
}
