import { textOf } from '../feeds/notes-text'
import type { Store } from '../store'
import { searchPlace, type UnindexedEpisode } from '../store/search'

// A transcript is as long as a hundred notes.
const CHUNK = 50
const CHUNKS = 10

/** Puts some of what is not in the index into it, in short transactions: a killed process goes on where it was. */
export async function indexSome(store: Store) {
  for (let chunk = 0; chunk < CHUNKS && store.search.isBehind(); chunk++)
    await store.inTurn(() => {
      for (const episode of store.search.unindexed(CHUNK)) put(store, episode)
    })
}

function put(store: Store, episode: UnindexedEpisode) {
  store.search.put(episode.id, searchPlace(episode.published_at, episode.id), {
    title: episode.title,
    notes: textOf(episode.notes),
    chapters: episode.has_own_chapters ? chaptersOf(store, episode.id) : '',
    transcript: episode.has_transcript ? transcriptOf(store, episode.id) : '',
  })
}

const chaptersOf = (store: Store, id: number) =>
  store.chapters
    .of(id)
    .map(chapter => chapter.title)
    .join(' ')

/** Of several, the one that is here. */
function transcriptOf(store: Store, id: number): string {
  const here = store.documents.of(id, 'transcript').find(document => document.state === 'parsed')
  if (!here) return ''
  return store.documents
    .segmentsOf(here.id)
    .map(segment => segment.text)
    .join(' ')
}
