import { extname } from 'node:path'
import { DAY, type Clock } from '../platform/clock'
import { describeError, type Log } from '../platform/log'
import { Problem } from '../platform/problem'
import type { Store } from '../store'
import type { JobItemRow, JobRow } from '../store/jobs'
import type { MediaReader } from '../media/reader'
import type { MediaFiles } from './files'
import { keepFacts } from './keep-facts'
import type { Names } from './names'
import { replaceTag } from './replace-tag'

export type Renaming = ReturnType<typeof createRename>

type Needs = { store: Store; names: Names; files: MediaFiles; media: MediaReader; now: Clock; log: Log }

export type Rename = { episodeId: number; from: string; to: string }
/** What is to be done with the files that are here. */
export type RescanWish = { applyFilenames: boolean; applyMetadata: boolean }

const KEPT_MS = 7 * DAY

/**
 * Gives the files that are here the names that the settings have for them now. The list is in the database before the
 * first file moves; each target is noted before the move and the episode after it, so that a process killed anywhere
 * goes on where it was.
 */
export function createRename({ store, names, files, media, now, log }: Needs) {
  const working = new Map<number, Promise<void>>()
  /** The file that is under its hands at this moment. */
  let current: { episodeId: number; done: Promise<unknown> } | null = null
  let isStopped = false

  /** What would move where; folders of podcasts included. */
  function plan(): { renames: Rename[]; folders: { podcastId: number; folder: string }[] } {
    const folders: { podcastId: number; folder: string }[] = []
    const takenFolders = new Set<string>()
    const taken = new Set<string>()
    const renames = store.podcasts.allWithFolders().flatMap(podcast => {
      const naming = names.namingOf(podcast.id)
      const folder = names.folderFor(podcast, naming, candidate => takenFolders.has(candidate.toLowerCase()))
      takenFolders.add(folder.toLowerCase())
      if (folder !== podcast.folder) folders.push({ podcastId: podcast.id, folder })
      return store.episodes.withFilesOf(podcast.id).flatMap(episode => {
        const from = episode.file_path!
        const isTaken = (path: string) => taken.has(path.toLowerCase())
        const to = names.pathFor(episode, { folder }, extname(from), isTaken, naming)
        taken.add(to.toLowerCase())
        return to === from ? [] : [{ episodeId: episode.id, from, to }]
      })
    })
    return { renames, folders }
  }

  /** Throws `already-running` while another renaming is under way. */
  function start(userId: number, { applyFilenames, applyMetadata }: RescanWish): JobRow {
    if (store.jobs.running().some(job => job.kind === 'rename'))
      throw new Problem('already-running', 'Files are being renamed already', { kind: 'rename' })
    files.requirePresent()
    const planned = plan()
    const { renames, folders } = applyFilenames ? planned : { renames: [], folders: [] }
    const targets = new Map(renames.map(({ episodeId, to }) => [episodeId, to]))
    const concerned = applyMetadata
      ? store.episodes.allWithFiles()
      : renames.map(({ episodeId, from }) => ({ id: episodeId, file_path: from }))
    const job = store.inTransaction(() => {
      // What comes from now on goes where the others will be.
      store.podcasts.setFolders(folders)
      const items = concerned.map(({ id, file_path }) => ({
        feedUrl: '',
        title: file_path,
        tags: [],
        episodeId: id,
        targetPath: targets.get(id) ?? file_path,
        withMetadata: applyMetadata,
      }))
      return store.jobs.add(userId, 'rename', items, now())
    })
    work(job)
    return job
  }

  function work(job: JobRow) {
    if (working.has(job.id)) return
    const done = run(job)
      .catch(error => log.error('renaming failed', { error: describeError(error) }))
      .finally(() => working.delete(job.id))
    working.set(job.id, done)
  }

  const goesOn = (job: JobRow) => !isStopped && files.isPresent() && store.jobs.isRunning(job.id)

  /** Files that take each other's names wait for one another: what is still in the way then gets a number. */
  async function run(job: JobRow) {
    for (;;) {
      const waiting = store.jobs.waiting(job.id)
      let moved = 0
      for (const item of waiting) {
        if (!goesOn(job)) return
        const taken = take(job, item)
        if (item.episode_id !== null) current = { episodeId: item.episode_id, done: taken }
        if (await taken.finally(() => (current = null))) moved += 1
      }
      if (waiting.length === moved) break
      if (moved === 0) makeRoom(job, waiting[0]!)
    }
    if (goesOn(job)) store.jobs.finish(job.id, 'done', now())
  }

  /** Whether the item is settled; false where its target is another file's name still. */
  async function take(job: JobRow, item: JobItemRow): Promise<boolean> {
    const episode = item.episode_id === null ? null : store.episodes.find(item.episode_id)
    const target = item.target_path
    if (!episode?.file_path || target === null) return settle(job, item)
    if (episode.file_path === target) {
      if (item.with_metadata) await inspect(episode.id)
      return settle(job, item)
    }
    const holder = store.episodes.findByFile(target)
    if (holder && holder.id !== episode.id) return false
    const here = files.exists(episode.file_path)
    // On disks that do not tell cases apart, the target may be the file itself.
    const isSelf = target.toLowerCase() === episode.file_path.toLowerCase()
    if (here && files.exists(target) && !isSelf) return false
    if (!here && !files.exists(target))
      return settle(job, item, { errorCode: 'media-unreachable', message: 'The file is not on the disk' })
    try {
      if (here) await files.move(episode.file_path, target)
      store.inTransaction(() => {
        store.episodes.moveFile(episode.id, target)
        // Killed right here, the file lies where it belongs and is looked into then.
        if (item.with_metadata) return
        store.jobs.settle(job.id, item.place, { state: 'added', podcastId: episode.podcast_id })
      })
      return item.with_metadata ? take(job, item) : true
    } catch (error) {
      log.warn('a file could not be renamed', { from: episode.file_path, to: target, error: describeError(error) })
      return settle(job, item, { errorCode: 'unexpected', message: 'The file could not be moved' })
    }
  }

  function settle(job: JobRow, item: JobItemRow, failure?: { errorCode: string; message: string }): true {
    store.jobs.settle(job.id, item.place, failure ? { state: 'failed', ...failure } : { state: 'present' })
    return true
  }

  /** Reads a file again: how long it is, its chapters, and the number in its title, where that is wanted. */
  async function inspect(episodeId: number) {
    const episode = store.episodes.find(episodeId)
    if (!episode?.file_path) return
    const path = files.pathOf(episode.file_path)
    const facts = await media.factsOf(path, episode.file_type ?? '')
    const size = await files.sizeOf(path)
    store.inTransaction(() => {
      // Deleted, or fetched again, meanwhile.
      if (!store.episodes.hasFile(episodeId, episode.file_path!)) return
      store.episodes.remeasure(episodeId, { size, duration: facts.duration })
      keepFacts(store, episodeId, facts)
    })
    await number(episodeId)
  }

  /** Writes the number before the title in the file, where the settings want that. */
  async function number(episodeId: number) {
    const episode = store.episodes.find(episodeId)
    if (!episode?.file_path || episode.numbered || episode.file_type !== 'audio/mpeg') return
    if (!names.namingOf(episode.podcast_id).episodeNumbering) return
    const { number: place, count } = store.episodes.placeOf(episode.podcast_id, episode)
    const shown = String(place).padStart(String(count).length, '0')
    // Free again since the download is done, and cleared away after a crash.
    const temporary = files.partOf(episode.eid)
    try {
      const path = files.pathOf(episode.file_path)
      const numbered = await media.numberTag(path, shown, episode.title)
      const size = numbered && (await replaceTag(path, temporary, numbered.tag, numbered.soundAt))
      store.inTransaction(() => {
        if (size !== null) store.episodes.remeasure(episodeId, { size, duration: null })
        store.episodes.markNumbered(episodeId)
      })
    } catch (error) {
      log.warn('a title could not be numbered', { path: episode.file_path, error: describeError(error) })
    }
  }

  function makeRoom(job: JobRow, item: JobItemRow) {
    const target = item.target_path!
    const extension = extname(target)
    for (let number = 2; ; number++) {
      const candidate = `${target.slice(0, -extension.length)} (${number})${extension}`
      if (files.exists(candidate) || store.episodes.findByFile(candidate)) continue
      store.jobs.setTarget(job.id, item.place, candidate)
      return
    }
  }

  return {
    plan,
    start,
    number,
    /** What a restart has interrupted goes on. */
    resume() {
      store.jobs.removeOlderThan(now() - KEPT_MS)
      for (const job of store.jobs.running()) if (job.kind === 'rename') work(job)
    },
    isMoving: (episodeId: number) => current?.episodeId === episodeId,
    /** Waits for a rename of one of these episodes' files to finish: deleting it needs its path. */
    async finished(isConcerned: (episodeId: number) => boolean) {
      while (current && isConcerned(current.episodeId)) await current.done.catch(() => undefined)
    },
    /** Comes to the end of what is under way. */
    settled: async () => void (await Promise.all(working.values())),
    async stop() {
      isStopped = true
      await Promise.all(working.values())
    },
  }
}
