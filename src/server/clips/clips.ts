import { dirname } from 'node:path'
import type { NewClip, Passage } from '../../shared/api/clip'
import { CLIP_DAYS, LONGEST_CLIP, SHORTEST_CLIP } from '../../shared/clip-limits'
import { CutRefused, type Cut, type CutRefusal } from '../media/cut/source'
import { canCut } from '../../shared/media-kinds'
import { createLanes } from '../outbound/lanes'
import { DAY, type Clock } from '../platform/clock'
import { randomBytes } from '../platform/crypto'
import { invalidField, notFound, Problem } from '../platform/problem'
import type { MediaFiles } from '../storage'
import { freeBytes } from '../storage/folder'
import type { Store } from '../store'
import type { ClipOfEpisode } from '../store/clips'
import type { EpisodeRow } from '../store/episodes'
import type { Viewer } from '../store/visibility'
import { createClipFolder } from './folder'

type Needs = {
  store: Store
  files: MediaFiles
  folder: string
  now: Clock
  reserveBytes: number
  /** Whether people may show clips to strangers. */
  arePublic: boolean
}

/** More than anybody shows at once: each is a file of up to 16 MB. */
const MOST_PER_USER = 20
/** Random bytes of an address that strangers know: 128 bits. */
const CODE_BYTES = 16

export type Clips = ReturnType<typeof createClips>

/** Clips: passages of downloaded episodes as files of their own, and pages of them for strangers. */
export function createClips(needs: Needs) {
  const { store, now, arePublic } = needs
  const folder = createClipFolder(needs.folder)
  // Each reads a file up to its passage: one at a time for each person, two for all.
  const lanes = createLanes({ total: 2, perHost: 1 })
  /** Ids of files that are not noted in the database yet. */
  const making = new Set<string>()

  /** Cuts a passage out of a file, and hands it to `use` before the next may begin. */
  function cutFor<T>(
    viewer: Viewer,
    episode: EpisodeRow,
    passage: Passage,
    title: string,
    use: (cut: Cut) => Promise<T>,
  ) {
    return lanes.run(String(viewer.id), async () => use(await cutOut(needs, episode, passage, title)))
  }

  async function makeFile(uuid: string, made: Cut): Promise<Cut['type']> {
    if ((await freeBytes(dirname(needs.folder))) < needs.reserveBytes + made.size)
      throw new Problem('disk-full', 'The disk is full')
    await folder.write(uuid, made.chunks())
    return made.type
  }

  return {
    /** Cuts a passage of an episode for its listener, and gives it to `use`. Throws `clip-…`, `episode-not-found`. */
    cut: <T>(viewer: Viewer, uuid: string, passage: Passage, use: (cut: Cut, episode: EpisodeRow) => Promise<T>) => {
      const episode = requireEpisode(store, viewer, uuid, passage)
      return cutFor(viewer, episode, passage, episode.title, made => use(made, episode))
    },

    /** Shows a passage to everybody who gets its address. Throws what `cut` does, `public-clips-off`, `too-many-clips`. */
    async share(viewer: Viewer, clip: NewClip): Promise<ClipOfEpisode> {
      if (!arePublic) throw new Problem('public-clips-off', 'Public clips are turned off on this server')
      const episode = requireEpisode(store, viewer, clip.episode, clip)
      const title = clip.title?.trim() || episode.title.slice(0, 200)
      const uuid = crypto.randomUUID()
      making.add(uuid)
      try {
        requireRoom(store, viewer)
        const file_type = await cutFor(viewer, episode, clip, title, made => makeFile(uuid, made))
        const created_at = now()
        store.inTransaction(() => {
          requireRoom(store, viewer)
          // The account or the episode may be gone by now.
          if (!store.episodes.findVisible(viewer, clip.episode) || !store.users.find(viewer.id))
            throw notFound('episode')
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
    },

    list: (viewer: Viewer): ClipOfEpisode[] => store.clips.listFor(viewer, now()),

    /** Ends a clip of this user at once. Throws `clip-not-found`. */
    async end(userId: number, uuid: string) {
      if (!store.clips.remove(userId, uuid)) throw notFound('clip')
      await folder.remove(uuid)
    },

    /** A clip by the code in its address, with its file; null where there is none, or none any more. */
    findPublic(code: string): (ClipOfEpisode & { path: string }) | null {
      if (!arePublic || !/^[\w-]{22}$/.test(code)) return null
      const found = store.clips.findPublic(code, now())
      return found && folder.has(found.uuid) ? { ...found, path: folder.pathOf(found.uuid) } : null
    },

    /**
     * Removes clips that have ended, files without a clip, left by a killed process or an account that is gone, and
     * clips without a file, which a backup brings back.
     */
    async sweep() {
      store.clips.removeEnded(now())
      for (const { user_id, uuid } of store.clips.list()) if (!folder.has(uuid)) store.clips.remove(user_id, uuid)
      for (const uuid of folder.list()) if (!making.has(uuid) && !store.clips.has(uuid)) await folder.remove(uuid)
    },
  }
}

/** An episode that a passage can be cut out of. Throws `episode-not-found`, `invalid-field`, `clip-needs-file`. */
function requireEpisode(store: Store, viewer: Viewer, uuid: string, { start, end }: Passage): EpisodeRow {
  const episode = store.episodes.require(viewer, uuid)
  if (end - start < SHORTEST_CLIP) throw invalidField('end', 'at least half a second after start')
  if (end - start > LONGEST_CLIP) throw invalidField('end', `at most ${LONGEST_CLIP} seconds after start`)
  if (!episode.file_path)
    throw new Problem('clip-needs-file', 'Download the episode first: a clip is cut out of its file')
  if (!canCut(episode.file_type)) throw refusals.unsupported()
  return episode
}

function requireRoom(store: Store, { id }: Viewer) {
  if (store.clips.countOf(id) < MOST_PER_USER) return
  throw new Problem('too-many-clips', `An account has at most ${MOST_PER_USER} public clips`, {
    limit: String(MOST_PER_USER),
  })
}

async function cutOut({ files, store }: Needs, episode: EpisodeRow, span: Passage, title: string): Promise<Cut> {
  const storage = files.storageOf(episode.file_storage)
  const path = episode.file_path!
  const size = await storage.sizeOf(path)
  if (size === null) throw new Problem('clip-needs-file', 'The file of the episode is missing')
  const source = { size, readBytes: (from: number, to: number) => storage.readBytes(path, { from, to }) }
  const podcast = store.podcasts.find(episode.podcast_id)?.title ?? ''
  // Few people cut, and it brings half of what reads media along.
  const { cut } = await import('../media/cut')
  try {
    return await cut(source, episode.file_type!, { from: span.start, to: span.end }, { title, podcast })
  } catch (error) {
    if (error instanceof CutRefused) throw refusals[error.reason]()
    throw error
  }
}

const refusals: Record<CutRefusal, () => Problem> = {
  unsupported: () => new Problem('clip-unsupported', 'Clips can be cut out of MP3 and AAC only'),
  malformed: () => new Problem('clip-unsupported', 'The file is damaged, or not what it says'),
  'beyond-end': () => invalidField('start', 'before the end of the file'),
  'too-large': () => new Problem('clip-unsupported', 'The file is too large to cut a clip out of it'),
}
