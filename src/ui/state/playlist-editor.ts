import { computed, signal } from '@preact/signals-core'
import type { Episode } from '../../shared/api/episode'
import type { Playlist } from '../../shared/api/playlist'
import type { PlaylistsApi } from '../api/playlists'

/** A playlist that the server does not know yet. */
export const NEW_ID = '-1'
export const LAST_STEP = 2

export type PlaylistItem = Pick<Episode, 'id' | 'name' | 'local_image_url' | 'image_url' | 'podcast_id'>

/** The wizard: a name, the episodes, and sending them off. What was begun is kept until it was sent, or another is begun. */
export function createPlaylistEditor(api: PlaylistsApi) {
  const id = signal(NEW_ID)
  const step = signal(0)
  const name = signal('')
  const items = signal<readonly PlaylistItem[]>([])
  const isOpen = signal(false)
  const isNew = computed(() => id.value === NEW_ID)
  const canGoOn = computed(() => name.value.trim() !== '' && step.value < LAST_STEP)

  function begin(playlist: Playlist | null) {
    const wanted = playlist?.id ?? NEW_ID
    const goesOn = wanted === id.value && (name.value !== '' || items.value.length > 0)
    if (!goesOn) {
      id.value = wanted
      name.value = playlist?.name ?? ''
      items.value = playlist?.items.map(({ podcastEpisode }) => podcastEpisode) ?? []
      step.value = 0
    }
    isOpen.value = true
  }

  /** A new playlist that holds an episode already. */
  function beginWith(episode: PlaylistItem) {
    forget()
    items.value = [episode]
    isOpen.value = true
  }

  function forget() {
    id.value = NEW_ID
    name.value = ''
    items.value = []
    step.value = 0
  }

  return {
    id,
    step,
    name,
    items,
    isOpen,
    isNew,
    canGoOn,
    begin,
    beginWith,
    forget,
    close: () => (isOpen.value = false),
    next() {
      if (canGoOn.value) step.value++
    },
    back() {
      if (step.value > 0) step.value--
    },
    rename: (text: string) => (name.value = text),
    has: (episodeId: string) => items.value.some(item => item.id === episodeId),
    add(episode: PlaylistItem) {
      if (!items.value.some(item => item.id === episode.id)) items.value = [...items.value, episode]
    },
    remove: (episodeId: string) => (items.value = items.value.filter(item => item.id !== episodeId)),
    move(from: number, to: number) {
      const moved = [...items.value]
      moved.splice(to, 0, ...moved.splice(from, 1))
      items.value = moved
    },
    /** Creates or replaces it, as the case is; what was begun is done with then. */
    async submit(): Promise<Playlist> {
      const edit = { name: name.value.trim(), items: items.value.map(item => ({ episode: item.id })) }
      const saved = await (isNew.value ? api.create(edit) : api.replace(id.value, edit))
      isOpen.value = false
      forget()
      return saved
    },
  }
}
export type PlaylistEditor = ReturnType<typeof createPlaylistEditor>
