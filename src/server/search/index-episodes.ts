import { textOf } from '../feeds/notes-text'
import { rest } from '../feeds/packed'
import type { Store } from '../store'
import { searchPlace, type UnindexedEpisode } from '../store/search'

const CHUNK = 50
// A transcript is as long as a hundred notes: a transaction ends with the episode that makes its texts so long.
const CHUNK_LENGTH = 200_000
const CHUNKS = 10

/** Puts some of what is not in the index into it, in short transactions: a killed process goes on where it was. */
export async function indexSome(store: Store) {
  for (let chunk = 0; chunk < CHUNKS && store.search.isBehind(); chunk++)
    await store.inTurn(() => {
      let length = 0
      for (let count = 0; count < CHUNK && length <= CHUNK_LENGTH; count++) {
        const episode = store.search.findUnindexed()
        if (!episode) return
        const added = put(store, episode)
        length += added
        rest(added)
      }
    })
}

/** Answers how long its texts are. */
function put(store: Store, episode: UnindexedEpisode): number {
  const texts = {
    title: episode.title,
    notes: textOf(episode.notes),
    chapters: episode.has_own_chapters ? chaptersOf(store, episode.id) : '',
    transcript: episode.has_transcript ? transcriptOf(store, episode.id) : '',
  }
  store.search.put(episode.id, searchPlace(episode.published_at, episode.id), texts)
  return texts.title.length + texts.notes.length + texts.chapters.length + texts.transcript.length
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
