import { createFeedTasks, type FeedTasks } from './feeds/tasks'
import { createCutTasks, type CutTasks } from './media/cut/tasks'
import { readMedia, readPicture, readTags } from './media/read'
import { numberTag, writeTags } from './media/write-tags'
import type { MediaTasks } from './media/reader'
import { type OpmlTasks, tryToParse } from './opml/file'
import { indexNext, indexPeople, indexSome, type SearchTasks } from './search/indexer'
import { deleteRemoved, type RemovalTasks } from './library/removals'
import type { Store } from './store'
import { BackupError } from './store/backup'
import { isDamage } from './store/inspect'
import { readChapters, type ChapterTasks } from './texts/chapters'
import { type TranscriptTasks, transcriptTasks } from './texts/transcripts/read'
import { readAnswer, type TranscriptionTasks } from './transcription/answer'
import type { TaskHandlers } from './thread'
import type { CopyTasks } from './moving/rehearse'
import type { BackupTasks } from './upkeep/backups'
import type { IntegrityTasks } from './upkeep/integrity'
import { tidySome, type UpkeepTasks } from './upkeep/retention'

/** All tasks of the second thread. Each capability declares its own. */
export type Tasks = FeedTasks &
  TranscriptTasks &
  ChapterTasks &
  TranscriptionTasks &
  MediaTasks &
  CutTasks &
  OpmlTasks &
  SearchTasks &
  UpkeepTasks &
  RemovalTasks &
  BackupTasks &
  IntegrityTasks &
  CopyTasks

/** `library` is called by the tasks that need the database: reading a feed that is not in it needs none. */
export function createTasks(library: () => Store): TaskHandlers<Tasks> {
  return {
    ...createFeedTasks(library),
    ...createCutTasks(),
    ...transcriptTasks,
    readChapters,
    readAnswer,
    readMedia,
    readTags,
    readPicture,
    numberTag,
    writeTags,
    readOpml: file => tryToParse(file),
    index: () => indexSome(library()),
    indexOne: () => indexNext(library()),
    indexPeople: () => indexPeople(library()),
    deleteRemoved: removal => deleteRemoved(library(), removal),
    upkeep: () => tidySome(library()),
    backUp: ({ secret, target }) => orFailure(() => library().writeBackup(secret, target)),
    copy: ({ target }) => orFailure(() => library().writeCopy(target)),
    check: () => findDamage(library()),
  }
}

function orFailure(write: () => void): BackupTasks['backUp']['result'] {
  try {
    write()
    return null
  } catch (error) {
    if (!(error instanceof BackupError)) throw error
    return { message: error.message, isDiskFull: error.isDiskFull }
  }
}

function findDamage(store: Store): string | null {
  try {
    return store.health.quickDamage()
  } catch (error) {
    if (!isDamage(error)) throw error
    return (error as Error).message
  }
}
