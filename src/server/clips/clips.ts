import { join } from 'node:path'
import type { NewClip, Passage } from '../../shared/api/marks'
import { CLIP_DAYS, MAX_CLIP, MIN_CLIP } from '../../shared/limits'
import { cutInThread } from '../media/cut/cutter'
import { bytesOf, type CutPlan, type CutRefusal, CutRefused } from '../media/cut/plan'
import type { Source } from '../media/frames/walk'
import type { CutTasks } from '../media/cut/tasks'
import { canCut } from '../../shared/forms'
import { createLanes } from '../outbound/lanes'
import { type Clock, DAY, MINUTE } from '../platform/clock'
import { randomBytes } from '../platform/secret'
import { invalidField, notFound, Problem } from '../platform/problem'
import type { Config } from '../config'
import type { MediaFiles } from '../storage'
import { StorageFailure } from '../storage/storage'
import { freeBytes } from '../storage/folder'
import type { Store } from '../store'
import type { ClipOfEpisode } from '../store/clips'
import type { Removal } from '../store/removals'
import type { EpisodeRow } from '../store/episodes'
import type { Viewer } from '../store/visibility'
import type { Thread } from '../thread'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'

// Why: docs/internals/decisions/0042

type Needs = {
  store: Store
  files: MediaFiles
  config: Pick<Config, 'dataFolder' | 'publicClips' | 'reserveBytes'>
  now: Clock
  /** Cuts in a thread that nobody waits for. */
  thread: Thread<CutTasks>
  limits?: ClipLimits | undefined
}

/** The longest time for cutting a clip, and for writing one that is shown to strangers. */
export type ClipLimits = { timeoutMs: number }

/** Enough to read hours of sound from a distant bucket. */
const clipLimits: ClipLimits = { timeoutMs: 2 * MINUTE }

/** A clip that can be read: its type, its size, and a generator of its bytes until `signal` aborts. */
export type Cut = Pick<CutPlan, 'type' | 'size'> & { chunks: (signal: AbortSignal) => AsyncGenerator<Uint8Array> }

/** More than anybody shares at once: each is a file of up to 16 MB. */
const MAX_PER_USER = 20
/** Random bytes in an address for strangers: 128 bits. */
const CODE_BYTES = 16

export type Clips = ReturnType<typeof createClips>

type Parts = Needs & {
  folder: ReturnType<typeof createClipFolder>
  /** Ids of files that are not noted in the database yet. */
  making: Set<string>
  inTurn: ReturnType<typeof createTurns>
}

/** Clips: passages of downloaded episodes as separate files, and pages of them for strangers. */
export function createClips(needs: Needs) {
  const { store, now, limits = clipLimits } = needs
  const { publicClips: arePublic, dataFolder } = needs.config
  const folder = createClipFolder(join(dataFolder, 'clips'))
  const parts: Parts = { ...needs, folder, making: new Set(), inTurn: createTurns(limits) }
  const { making, inTurn } = parts

  return {
    /** Cuts a passage of an episode for its listener. Throws `clip-…`, `episode-not-found`, `cancelled`. */
    async cut(viewer: Viewer, uuid: string, passage: Passage, signal: AbortSignal): Promise<Cut> {
      requireEpisode(store, viewer, uuid, passage)
      return inTurn(viewer, signal, async ended => {
        // It may have been renamed, deleted or hidden since the request.
        const episode = requireEpisode(store, viewer, uuid, passage)
        return cutOut(needs, episode, passage, episode.title, ended)
      })
    },

    /**
     * Publishes a passage for everybody who gets its address. Throws what `cut` does, `public-clips-off`,
     * `too-many-clips`.
     */
    share: (viewer: Viewer, clip: NewClip, signal: AbortSignal) => share(parts, viewer, clip, signal),

    list: (viewer: Viewer): ClipOfEpisode[] => store.clips.listFor(viewer, now()),

    /** Ends a clip of this user at once. Throws `clip-not-found`. */
    async end(userId: number, uuid: string) {
      if (!store.clips.remove(userId, uuid)) throw notFound('clip')
      await folder.remove(uuid)
    },

    /** A clip by the code in its address, with its file; null if it does not exist, or no longer. */
    findPublic(code: string): (ClipOfEpisode & { path: string }) | null {
      if (!arePublic || !/^[\w-]{22}$/.test(code)) return null
      const found = store.clips.findPublic(code, now())
      return found && folder.has(found.uuid) ? { ...found, path: folder.pathOf(found.uuid) } : null
    },

    /** Removes the clips of podcasts and accounts that are gone, files first: a killed process finds them again. */
    async removeOf(removal: Removal) {
      for (const { user_id, uuid } of store.clips.ofRemoved(removal)) {
        await folder.remove(uuid)
        store.clips.remove(user_id, uuid)
      }
    },

    /**
     * Removes clips that have ended, files without a clip (left by a killed process or a deleted account), and clips
     * without a file (from a restored backup).
     */
    async sweep() {
      store.clips.removeEnded(now())
      for (const { user_id, uuid } of store.clips.list()) if (!folder.has(uuid)) store.clips.remove(user_id, uuid)
      for (const uuid of folder.list()) if (!making.has(uuid) && !store.clips.has(uuid)) await folder.remove(uuid)
    },
  }
}

/** Cuts one clip at a time for each person, two for all: each reads a file up to its passage. */
function createTurns({ timeoutMs }: ClipLimits) {
  const lanes = createLanes({ total: 2, perHost: 1 })
  /** Waits its turn, and cuts within the time limit: `work` gets a signal that aborts then. */
  return function inTurn<T>({ id }: Viewer, signal: AbortSignal, work: (ended: AbortSignal) => Promise<T>): Promise<T> {
    return lanes.run(String(id), async () => {
      const late = AbortSignal.timeout(timeoutMs)
      const ended = AbortSignal.any([signal, late])
      try {
        ended.throwIfAborted()
        return await work(ended)
      } catch (error) {
        if (signal.aborted) throw new Problem('cancelled', 'Nobody is waiting for the clip any more')
        throw late.aborted ? refusals['too-slow']() : problemOf(error)
      }
    })
  }
}

async function share(parts: Parts, viewer: Viewer, clip: NewClip, signal: AbortSignal): Promise<ClipOfEpisode> {
  const { store, config, now, folder, making, inTurn } = parts
  if (!config.publicClips) throw new Problem('public-clips-off', 'Public clips are turned off on this server')
  const episode = requireEpisode(store, viewer, clip.episode, clip)
  const title = clip.title?.trim() || episode.title.slice(0, 200)
  const uuid = crypto.randomUUID()
  making.add(uuid)
  try {
    const file_type = await inTurn(viewer, signal, async ended => {
      requireRoom(store, viewer)
      const current = requireEpisode(store, viewer, clip.episode, clip)
      return makeFile(parts, uuid, await cutOut(parts, current, clip, title, ended), ended)
    })
    const created_at = now()
    await store.whenWritable()
    store.inTransaction(() => {
      requireRoom(store, viewer)
      // The account or the episode may be gone by now.
      if (!store.episodes.findVisible(viewer, clip.episode) || !store.users.find(viewer.id)) throw notFound('episode')
      store.clips.add({
        uuid,
        code: randomBytes(CODE_BYTES).toString('base64url'),
        user_id: viewer.id,
        episode_id: episode.id,
        start_ms: Math.round(clip.start * 1000),
        end_ms: Math.round(clip.end * 1000),
        title,
        quote: clip.quote?.trim() ?? '',
        file_type,
        created_at,
        ends_at: created_at + (clip.days ?? CLIP_DAYS) * DAY,
      })
    })
    return store.clips.listFor(viewer, created_at).find(row => row.uuid === uuid)!
  } catch (error) {
    await folder.remove(uuid)
    throw error
  } finally {
    making.delete(uuid)
  }
}

async function makeFile({ config, folder }: Parts, uuid: string, made: Cut, signal: AbortSignal): Promise<Cut['type']> {
  if ((await freeBytes(config.dataFolder)) < config.reserveBytes + made.size)
    throw new Problem('disk-full', 'The disk is full')
  await folder.write(uuid, made.chunks(signal))
  return made.type
}

/** An episode that a passage can be cut from. Throws `episode-not-found`, `invalid-field`, `clip-needs-file`. */
function requireEpisode(store: Store, viewer: Viewer, uuid: string, { start, end }: Passage): EpisodeRow {
  const episode = store.episodes.require(viewer, uuid)
  if (end - start < MIN_CLIP) throw invalidField('end', 'at least half a second after start')
  if (end - start > MAX_CLIP) throw invalidField('end', `at most ${MAX_CLIP} seconds after start`)
  if (!episode.file_path)
    throw new Problem('clip-needs-file', 'Download the episode first: a clip is cut from its file')
  if (!canCut(episode.file_type)) throw refusals.unsupported()
  return episode
}

function requireRoom(store: Store, { id }: Viewer) {
  if (store.clips.countOf(id) < MAX_PER_USER) return
  throw new Problem('too-many-clips', `An account has at most ${MAX_PER_USER} public clips`, {
    limit: String(MAX_PER_USER),
  })
}

async function cutOut(
  { files, store, thread }: Needs,
  episode: EpisodeRow,
  span: Passage,
  title: string,
  signal: AbortSignal,
): Promise<Cut> {
  const storage = files.storageOf(episode.file_storage)
  const path = episode.file_path!
  const size = await storage.sizeOf(path)
  if (size === null) throw refusals.missing()
  const podcast = store.podcasts.find(episode.podcast_id)?.title ?? ''
  const sourceUntil = (end: AbortSignal): Source => ({
    size,
    readBytes: (from, to) => storage.readBytes(path, { from, to }, end),
  })
  const request = { type: episode.file_type!, span: { from: span.start, to: span.end }, titles: { title, podcast } }
  const plan = await cutInThread(thread, sourceUntil(signal), request, signal)
  const { type, size: length } = plan
  return { type, size: length, chunks: end => bytesOf(sourceUntil(end), plan) }
}

/** Turns a failure into words for people; anything else stays as it is. */
function problemOf(error: unknown): unknown {
  if (error instanceof CutRefused) return refusals[error.reason]()
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return refusals.missing()
  if (!(error instanceof StorageFailure)) return error
  return error.trouble === 'missing' ? refusals.missing() : new Problem('media-storage-absent', error.message)
}

const refusals: Record<CutRefusal | 'missing', () => Problem> = {
  missing: () => new Problem('clip-needs-file', 'The file of the episode is missing'),
  unsupported: () => new Problem('clip-unsupported', 'Clips can be cut only from MP3 and AAC'),
  malformed: () => new Problem('clip-unsupported', 'The file is damaged, or not what it claims to be'),
  'beyond-end': () => invalidField('start', 'before the end of the file'),
  'too-large': () => new Problem('clip-unsupported', 'The file is too large to cut a clip from it'),
  'too-slow': () => new Problem('clip-too-slow', 'Cutting the clip took too long and was cancelled'),
}

/** The files of public clips, each named by the id of its clip; unfinished ones end in `.part`. */
const createClipFolder = (folder: string) => {
  const pathOf = (uuid: string) => join(folder, uuid)
  return {
    pathOf,
    has: (uuid: string) => existsSync(pathOf(uuid)),
    /** Writes a whole file; a process that is killed while it works leaves a part, which counts as a stray. */
    async write(uuid: string, chunks: AsyncIterable<Uint8Array>) {
      mkdirSync(folder, { recursive: true })
      const part = `${pathOf(uuid)}.part`
      const file = await open(part, 'w', 0o600)
      try {
        // An almost full disk may accept only part of a write.
        for await (const chunk of chunks)
          for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(part, pathOf(uuid))
    },
    async remove(uuid: string) {
      await rm(pathOf(uuid), { force: true })
      await rm(`${pathOf(uuid)}.part`, { force: true })
    },
    /** Ids of the clips that have a file, or a part of one. */
    list: (): string[] => (existsSync(folder) ? readdirSync(folder).map(name => name.replace(/\.part$/, '')) : []),
  }
}
