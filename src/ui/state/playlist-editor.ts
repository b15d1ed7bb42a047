import { computed, signal } from '@preact/signals-core'
import type { Episode } from '../../shared/api/episode'
import type { Playlist, SmartRules } from '../../shared/api/playlist'
import type { Api } from '../api'
import { moved } from './queue'

/** The id of a playlist that the server does not have yet. */
const NEW_ID = '-1'
export const LAST_STEP = 2

export type PlaylistItem = Pick<Episode, 'id' | 'name' | 'local_image_url' | 'image_url' | 'podcast_id'>
export type PlaylistEditor = ReturnType<typeof createPlaylistEditor>

/**
 * The wizard: a name, the episodes or the rules that choose them, and sending it. A draft is kept until it is sent, or
 * another one is begun.
 */
export function createPlaylistEditor(api: Api['playlists']) {
  const { id, step, name, about, items, rules, isNew, reset, setKind } = createDraft()
  const areComplete = signal(true)
  const isOpen = signal(false)
  const canContinue = computed(
    () =>
      name.value.trim() !== '' &&
      step.value < LAST_STEP &&
      (step.value === 0 || rules.value === null || areComplete.value),
  )

  return {
    step,
    name,
    /** The description; empty = none. */
    about,
    items,
    /** The rules that fill the playlist; null = its episodes are chosen. */
    rules,
    isOpen,
    isNew,
    canContinue,
    close: () => (isOpen.value = false),
    /** Opens a playlist, or a new one (null), at a step; a draft of the same one is continued where it was left. */
    begin(playlist: Playlist | null, at?: number) {
      const wanted = playlist?.id ?? NEW_ID
      const isDraft = wanted === id.value && (name.value !== '' || items.value.length > 0 || rules.value !== null)
      const content = playlist?.rules ? [] : (playlist?.items.map(({ podcastEpisode }) => podcastEpisode) ?? [])
      if (!isDraft) areComplete.value = true
      if (!isDraft) reset(wanted, playlist?.name, content, playlist?.rules ?? null, playlist?.description ?? '')
      if (at !== undefined) step.value = at
      isOpen.value = true
    },
    /** Opens a new playlist that already contains episodes. */
    beginWith(episodes: readonly PlaylistItem[]) {
      reset(NEW_ID, '', episodes)
      isOpen.value = true
    },
    next() {
      if (canContinue.value) step.value++
    },
    back() {
      if (step.value > 0) step.value--
    },
    rename: (text: string) => (name.value = text),
    describe: (text: string) => (about.value = text),
    /** Incomplete rules can't be continued with. */
    setRules(edited: SmartRules, areNowComplete = true) {
      rules.value = edited
      areComplete.value = areNowComplete
    },
    setKind,
    has: (episodeId: string) => items.value.some(item => item.id === episodeId),
    add(episode: PlaylistItem) {
      if (!items.value.some(item => item.id === episode.id)) items.value = [...items.value, episode]
    },
    remove: (episodeId: string) => (items.value = items.value.filter(item => item.id !== episodeId)),
    move: (from: number, to: number) => (items.value = moved(items.value, from, to)),
    /** Creates or replaces the playlist. The draft ends when that succeeds. */
    async submit(): Promise<Playlist> {
      const chosen = items.value.map(item => ({ episode: item.id }))
      const facts = { name: name.value.trim(), description: about.value.trim() || null }
      const edit = rules.value ? { ...facts, items: [], rules: rules.value } : { ...facts, items: chosen }
      const saved = await (isNew.value ? api.create(edit) : api.replace(id.value, edit))
      isOpen.value = false
      reset(NEW_ID)
      return saved
    },
  }
}

function createDraft() {
  const id = signal(NEW_ID)
  const step = signal(0)
  const name = signal('')
  const about = signal('')
  const items = signal<readonly PlaylistItem[]>([])
  const rules = signal<SmartRules | null>(null)
  /** The rules of a draft whose episodes are chosen at the moment. */
  let unused: SmartRules | null = null
  return {
    id,
    step,
    name,
    about,
    items,
    rules,
    isNew: computed(() => id.value === NEW_ID),
    /**
     * Fills the playlist by rules, its existing ones or else `first`; null: its episodes are chosen. The other kind is
     * kept.
     */
    setKind(first: SmartRules | null) {
      const kept = rules.value ?? unused
      rules.value = first && (kept ?? first)
      unused = kept
    },
    reset(
      to: string,
      called = '',
      content: readonly PlaylistItem[] = [],
      by: SmartRules | null = null,
      described = '',
    ) {
      id.value = to
      name.value = called
      about.value = described
      items.value = content
      rules.value = by
      unused = null
      step.value = 0
    },
  }
}
