import { searchedNotes } from '../feeds/parse/notes-text'
import { collectGarbage } from '../platform/garbage'
import type { Store } from '../store'
import { searchPlace, type UnindexedEpisode } from '../store/search'

// Why: docs/internals/decisions/0001

const CHUNK = 50
// A transcript is as long as the notes of a hundred episodes: a transaction ends after this many characters.
const CHUNK_LENGTH = 200_000
const CHUNKS = 10

/** Indexes some of the episodes that the index lacks, in short transactions: a killed process resumes where it was. */
export async function indexSome(store: Store) {
  for (let chunk = 0; chunk < CHUNKS && store.search.isBehind(); chunk++)
    await store.inTurn(() => {
      let length = 0
      for (let count = 0; count < CHUNK && length <= CHUNK_LENGTH; count++) {
        const episode = store.search.findUnindexed()
        if (!episode) return
        const added = put(store, episode)
        length += added
        collectGarbage(added)
      }
    })
}

/** Indexes one episode, the next that the index lacks. */
export const indexNext = (store: Store) =>
  store.inTurn(() => {
    const episode = store.search.findUnindexed()
    if (episode) put(store, episode)
  })

/** Indexes an episode; answers the length of its texts. */
function put(store: Store, episode: UnindexedEpisode): number {
  const texts = {
    title: episode.title,
    notes: searchedNotes(episode),
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

/** The texts of the transcripts that were fetched; an episode may have one in each language. */
const transcriptOf = (store: Store, id: number): string =>
  store.documents
    .of(id, 'transcript')
    .filter(({ state }) => state === 'parsed')
    .flatMap(({ id }) => store.documents.segmentsOf(id))
    .map(segment => segment.text)
    .join(' ')
