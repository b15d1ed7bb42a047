import { Value } from '@sinclair/typebox/value'
import { MAX_PLAYLIST_ITEMS, type PlaylistEdit, type SmartRule, SmartRules } from '../../shared/api/playlist'
import { PICTURED } from '../../shared/limits'
import { mayKeep } from '../../shared/may-keep'
import { type Clock, DAY } from '../platform/clock'
import type { DomainEvents, Publish } from '../platform/events'
import { invalidField, Problem, required } from '../platform/problem'
import { areInexact, queryOf, titleTest, wholeTerms, wordsOf } from '../search/words'
import type { Store } from '../store'
import type { EpisodeForUser } from '../store/episodes'
import type { PlaylistRow } from '../store/playlists'
import type { SmartCondition, SmartQuery } from '../store/smart-conditions'
import type { UserRow } from '../store/users'
import type { Viewer } from '../store/visibility'

type Needs = { store: Store; publish: Publish; now: Clock }
type Editor = Viewer & Pick<UserRow, 'role'>

/** Limited, since all of a user's playlists are read at once. */
export const MAX_WITH_RULES = 30

/**
 * Makes, reads and changes playlists. Each user has personal playlists, with distinct names. Smart playlists are filled
 * by rules: their episodes cannot be changed.
 */
export function createPlaylists(needs: Needs) {
  const { store, publish, now } = needs

  function announce(row: PlaylistRow, change: DomainEvents['playlistChanged']['change']): PlaylistRow {
    const { user_id: userId, uuid, name, created_at: createdAt } = row
    publish({ type: 'playlistChanged', userId, uuid, name, createdAt, change })
    return row
  }
  /** Changes a playlist and reports that. Throws `playlist-not-found`, and what `change` throws. */
  function changing(viewer: Viewer, uuid: string, change: (playlist: PlaylistRow) => void): PlaylistRow {
    const changed = store.inTransaction(() => {
      change(store.playlists.require(viewer.id, uuid))
      return store.playlists.require(viewer.id, uuid)
    })
    return announce(changed, 'changed')
  }
  const rename = (viewer: Viewer, playlist: PlaylistRow, name: string) =>
    store.playlists.rename(playlist.id, requireName(store, viewer.id, name, playlist))

  return {
    ...readPlaylists(needs),
    /** Creates a playlist. Throws `invalid-field`, `playlist-name-taken` and `not-uploader`. */
    create(user: Editor, edit: PlaylistEdit): PlaylistRow {
      const made = store.inTransaction(() => {
        const name = requireName(store, user.id, edit.name)
        const episodes = requireListed(store, user, edit.items)
        const rules = edit.rules ? requireNew(store, user, edit, edit.rules) : null
        const playlist = store.playlists.add(user.id, name, now(), rules && JSON.stringify(rules))
        store.playlists.replaceItems(playlist.id, episodes)
        describe(store, playlist, edit)
        return store.playlists.require(user.id, playlist.uuid)
      })
      return announce(made, 'added')
    },
    /**
     * Replaces name and episodes, or name and rules. Throws `playlist-not-found`, `invalid-field`,
     * `playlist-name-taken`, `playlist-fills-itself` and `not-uploader`.
     */
    replace: (user: Editor, uuid: string, edit: PlaylistEdit): PlaylistRow =>
      changing(user, uuid, playlist => {
        if (!edit.rules) requireChosen(playlist)
        else if (playlist.rules === null) throw invalidField('rules', 'none for a playlist of chosen episodes')
        rename(user, playlist, edit.name)
        describe(store, playlist, edit)
        if (edit.rules) changeRules(store, playlist, JSON.stringify(requireAlone(user, edit, edit.rules)))
        else store.playlists.replaceItems(playlist.id, requireListed(store, user, edit.items))
      }),
    /** Throws `playlist-not-found`, `invalid-field` and `playlist-name-taken`. */
    rename: (viewer: Viewer, uuid: string, name: string): PlaylistRow =>
      changing(viewer, uuid, playlist => rename(viewer, playlist, name)),
    /** Sets what the playlist is about; null = nothing. Throws `playlist-not-found`. */
    describe: (viewer: Viewer, uuid: string, description: string | null): PlaylistRow =>
      changing(viewer, uuid, ({ id }) => store.playlists.describe(id, description)),
    /**
     * Appends episodes by their rows; one that is in the playlist keeps its place. Throws `playlist-not-found` and
     * `playlist-fills-itself`.
     */
    append: (viewer: Viewer, uuid: string, episodeIds: readonly number[]): PlaylistRow =>
      changing(viewer, uuid, playlist =>
        store.playlists.appendAll(requireChosen(playlist).id, episodeIds, MAX_PLAYLIST_ITEMS),
      ),
    /** Removes episodes by their rows. Throws `playlist-not-found` and `playlist-fills-itself`. */
    takeOut: (viewer: Viewer, uuid: string, episodeIds: readonly number[]): PlaylistRow =>
      changing(viewer, uuid, playlist => {
        for (const episodeId of episodeIds) store.playlists.removeItem(requireChosen(playlist).id, episodeId)
      }),
    /**
     * Puts an episode of a playlist before another one of it, by their rows; null = at its end. Throws
     * `playlist-not-found`, `playlist-fills-itself` and `episode-not-found`.
     */
    place: (viewer: Viewer, uuid: string, episodeId: number, before: number | null): PlaylistRow =>
      changing(viewer, uuid, playlist => moveItem(store, playlist, episodeId, before)),
    /** Throws `playlist-not-found`. */
    remove(viewer: Viewer, uuid: string) {
      const playlist = store.playlists.require(viewer.id, uuid)
      store.playlists.remove(playlist.id)
      announce(playlist, 'removed')
    },
  }
}
export type Playlists = ReturnType<typeof createPlaylists>

const readPlaylists = (needs: Needs) => ({
  idsOf: (viewer: Viewer, playlist: PlaylistRow) => idsOfPlaylist(needs, viewer, playlist),
  episodesOf: (viewer: Viewer, playlist: PlaylistRow) => episodesOfPlaylist(needs, viewer, playlist),
  contentOf: (viewer: Viewer, playlist: PlaylistRow) => contentOfPlaylist(needs, viewer, playlist),
  /** The episodes that a playlist by these rules would hold. Throws `invalid-field`. */
  preview: (user: Editor, rules: SmartRules): EpisodeForUser[] =>
    needs.store.smartLists.rowsFor(user, idsByRules(needs, user, requireRules({ ...rules, keepDownloaded: 0 }, user))),
})

function requireName(store: Store, userId: number, text: string, except?: PlaylistRow): string {
  const name = text.trim()
  if (name === '') throw invalidField('name', '1 to 200 characters')
  const other = store.playlists.findByName(userId, name)
  if (other && other.id !== except?.id)
    throw new Problem('playlist-name-taken', `Playlist ${name} already exists`, { name })
  return name
}

/** Sets the description if the edit names one; an empty one counts as none. */
function describe(store: Store, { id }: PlaylistRow, { description }: PlaylistEdit) {
  if (description !== undefined) store.playlists.describe(id, description?.trim() || null)
}

/** Moves an item, and leaves what its user does not see in its place. */
function moveItem(store: Store, playlist: PlaylistRow, episodeId: number, before: number | null) {
  const ids = store.playlists.episodeIds(requireChosen(playlist).id)
  for (const id of before === null ? [episodeId] : [episodeId, before])
    required(ids.includes(id) ? id : null, 'episode')
  if (before === episodeId) return
  const others = ids.filter(id => id !== episodeId)
  const place = before === null ? others.length : others.indexOf(before)
  store.playlists.replaceItems(playlist.id, others.toSpliced(place, 0, episodeId))
}

function requireChosen(playlist: PlaylistRow): PlaylistRow {
  if (playlist.rules === null) return playlist
  const { name } = playlist
  throw new Problem('playlist-fills-itself', `Playlist ${name} fills itself. Change its rules instead.`, { name })
}

/** If the rules change, the kept downloads are chosen again. */
function changeRules(store: Store, { id, rules: before }: PlaylistRow, rules: string) {
  if (rules === before) return
  store.playlists.setRules(id, rules)
  store.keptEpisodes.replace(id, [])
}

function requireNew(store: Store, user: Editor, edit: PlaylistEdit, rules: SmartRules): SmartRules {
  if (store.playlists.countWithRules(user.id) >= MAX_WITH_RULES)
    throw invalidField('rules', `at most ${MAX_WITH_RULES} playlists with rules`)
  return requireAlone(user, edit, rules)
}

function requireAlone(user: Editor, { items }: PlaylistEdit, rules: SmartRules): SmartRules {
  if (items.length > 0) throw invalidField('items', 'none for a playlist with rules')
  return requireRules(rules, user)
}

/** The ids of the episodes in a list that a client sent. Throws `invalid-field`, which names the unknown item. */
export const requireListed = (store: Store, viewer: Viewer, items: readonly { episode: string }[]): number[] =>
  items.map(({ episode }, place) => {
    const found = store.episodes.findVisible(viewer, episode)
    if (!found) throw invalidField(`items[${place}].episode`, 'the id of an episode')
    return found.id
  })

// Why: docs/internals/decisions/0047

type RuleNeeds = { store: Pick<Store, 'podcasts' | 'tags'>; now: Clock }
type ReadNeeds = { store: Pick<Store, 'playlists' | 'podcasts' | 'smartLists' | 'tags'>; now: Clock }

/**
 * The ids of a playlist's episodes in playing order, chosen or by rules, without those that the viewer may not see. The
 * playlist is the viewer's own.
 */
export function idsOfPlaylist(needs: ReadNeeds, viewer: Viewer, playlist: PlaylistRow): number[] {
  const rules = rulesOf(playlist)
  return rules ? idsByRules(needs, viewer, rules) : needs.store.playlists.idsFor(viewer, playlist.id)
}

/** The same episodes with everything known about them. */
const episodesOfPlaylist = (needs: ReadNeeds, viewer: Viewer, playlist: PlaylistRow): EpisodeForUser[] =>
  playlist.rules === null
    ? needs.store.playlists.itemsFor(viewer, playlist.id)
    : needs.store.smartLists.rowsFor(viewer, idsOfPlaylist(needs, viewer, playlist))

/** Their number and seconds, and the podcasts that picture the playlist, by their uuids. */
function contentOfPlaylist(needs: ReadNeeds, viewer: Viewer, playlist: PlaylistRow) {
  const { playlists, smartLists } = needs.store
  if (playlist.rules === null)
    return {
      ...playlists.sizeFor(viewer, playlist.id),
      podcasts: playlists.podcastsFor(viewer, playlist.id, PICTURED),
    }
  const ids = idsOfPlaylist(needs, viewer, playlist)
  return { ...smartLists.sizeOf(ids), podcasts: smartLists.podcastsOf(ids, PICTURED) }
}

/** The ids of the episodes that a playlist by these rules would hold, in playing order. */
const idsByRules = (needs: ReadNeeds, viewer: Viewer, rules: SmartRules): number[] =>
  needs.store.smartLists.idsFor(viewer, queryOfRules(needs, viewer, rules))

/** Replaces rules that another version wrote: any of no rules matches nothing. */
const unreadable: SmartRules = { match: 'any', rules: [], order: 'newest', limit: 1, keepDownloaded: 0 }

/** The rules of a playlist; null for one whose episodes are chosen. */
export function rulesOf({ rules }: Pick<PlaylistRow, 'rules'>): SmartRules | null {
  if (rules === null) return null
  const parsed: unknown = JSON.parse(rules)
  return Value.Check(SmartRules, parsed) ? parsed : unreadable
}

/** Throws `invalid-field`, and `not-uploader` if somebody who may not download asks for downloads. */
export function requireRules(rules: SmartRules, user: { role: string }): SmartRules {
  for (const [index, rule] of rules.rules.entries())
    if (rule.field === 'title' && wordsOf(rule.words).length === 0)
      throw invalidField(`rules.rules[${index}].words`, 'at least one word')
  if (rules.keepDownloaded === 0) return rules
  if (user.role === 'user') throw new Problem('not-uploader', 'You are not an admin or an uploader')
  if (!mayKeep(rules)) throw invalidField('rules.keepDownloaded', '0 for a list of what is not downloaded')
  return rules
}

/** Looks up what rules name. A rule whose podcasts or tags are all gone matches nothing. */
export const queryOfRules = ({ store, now }: RuleNeeds, viewer: Viewer, rules: SmartRules): SmartQuery => ({
  match: rules.match,
  conditions: rules.rules.map(rule => conditionOf(store, now(), viewer, rule)),
  order: rules.order,
  limit: rules.limit,
})

function conditionOf(store: RuleNeeds['store'], now: number, viewer: Viewer, rule: SmartRule): SmartCondition {
  switch (rule.field) {
    case 'podcast': {
      const ids = store.podcasts.idsAmong(viewer, rule.podcasts)
      return ids.length === 0 ? { field: 'nothing' } : { field: 'podcast', isNot: rule.op === 'is-not', ids }
    }
    case 'tag': {
      const ids = rule.tags.flatMap(uuid => store.tags.findFor(viewer.id, uuid)?.id ?? [])
      return ids.length === 0 ? { field: 'nothing' } : { field: 'tag', isNot: rule.op === 'is-not', ids }
    }
    case 'age':
      return { field: 'age', op: rule.op, since: now - rule.days * DAY }
    case 'title': {
      const words = wordsOf(rule.words)
      if (words.length === 0) return { field: 'nothing' }
      return {
        field: 'title',
        isNot: rule.op === 'lacks',
        match: queryOf(wholeTerms(words)),
        isInexact: areInexact(words),
        isIn: titleTest(words),
      }
    }
    default:
      return rule
  }
}
