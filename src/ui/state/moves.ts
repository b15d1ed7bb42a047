import { computed, signal } from '@preact/signals-core'
import type { Move, MoveOptions, NewMove } from '../../shared/api/move'
import type { AdministrationApi } from '../api/administration'

export type Moves = ReturnType<typeof createMoves>

/** An upload of this browser; `failure`: why it has stopped. */
type Upload = { id: string; file: File; failure: unknown }

/** Bytes that are sent at once: a slow connection takes seconds for them. */
const PART = 2 * 1024 * 1024

/** Moves of this user, the latest first. An upload continues while other pages are open. */
export function createMoves(api: AdministrationApi['moves']) {
  const list = signal<readonly Move[] | null>(null)
  const upload = signal<Upload | null>(null)
  const latest = computed(() => list.value?.[0] ?? null)

  function put(move: Move) {
    const others = (list.value ?? []).filter(({ id }) => id !== move.id)
    list.value = [move, ...others].toSorted((a, b) => b.startedAt.localeCompare(a.startedAt))
  }
  const isWanted = (id: string) => upload.value?.id === id
  async function send(file: File, move: Move) {
    upload.value = { id: move.id, file, failure: null }
    try {
      for (let sent = move.received; sent < file.size && isWanted(move.id);) {
        const now = await api.upload(move.id, sent, file.slice(sent, sent + PART))
        if (!isWanted(move.id)) return
        put(now)
        sent = now.received
      }
      upload.value = null
    } catch (failure) {
      if (isWanted(move.id)) upload.value = { id: move.id, file, failure }
    }
  }
  /** The upload of this file that was interrupted, by a failure or by leaving. */
  const interrupted = ({ name, size }: File) => {
    const move = latest.value
    return move?.state === 'receiving' && move.file === name && move.bytes === size ? move : null
  }
  const load = async () => {
    list.value = await api.list()
  }
  return {
    list,
    latest,
    upload,
    load,
    /** Uploads a file, from where an interrupted upload of the same ended. */
    async bring(file: File, from: string | null) {
      const known = interrupted(file)
      const move = known
        ? await api.get(known.id)
        : await api.start({ name: file.name, bytes: file.size, ...(from !== null && { from }) })
      await load()
      void send(file, move)
    },
    async resume() {
      const stopped = upload.value
      if (stopped) await send(stopped.file, await api.get(stopped.id))
    },
    async bringPath(path: string, from: string | null) {
      const move: NewMove = { path, ...(from !== null && { from }) }
      await api.start(move)
      await load()
    },
    /** Asks another server for everything of a person there. */
    async bringServer(server: NonNullable<NewMove['server']>) {
      await api.start({ server })
      await load()
    },
    choose: async (id: string, options: MoveOptions) => put(await api.choose(id, options)),
    begin: async (id: string) => put(await api.begin(id)),
    retry: async (id: string) => put(await api.retry(id)),
    undo: async (id: string) => put(await api.undo(id)),
    async drop(id: string) {
      if (isWanted(id)) upload.value = null
      await api.drop(id)
      await load()
    },
  }
}
