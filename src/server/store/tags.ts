import { required } from '../platform/problem'
import type { Database } from 'bun:sqlite'
import type { NewTag, TagColor, TagEdit } from '../../shared/api/podcast'
import { tagColors } from '../../shared/choices'
import { nameKey } from './users'

export type TagRow = {
  id: number
  uuid: string
  user_id: number
  name: string
  name_key: string
  color: TagColor
  description: string | null
  created_at: number
}

/** Tags of users. */
export const tagStore = (db: Database) => ({
  listFor: (userId: number) =>
    db.query<TagRow, [number]>('SELECT * FROM tag WHERE user_id = ? ORDER BY name_key').all(userId),
  /** The colour of a tag that is made without one: each in turn. */
  nextColor(userId: number): TagColor {
    return tagColors[(this.listFor(userId).length + 1) % tagColors.length]!
  },
  findFor: (userId: number, uuid: string) =>
    db.query<TagRow, [number, string]>('SELECT * FROM tag WHERE user_id = ? AND uuid = ?').get(userId, uuid),
  /** Throws `tag-not-found`. */
  require(userId: number, uuid: string): TagRow {
    return required(this.findFor(userId, uuid), 'tag')
  },
  findByName: (userId: number, name: string) =>
    db
      .query<TagRow, [number, string]>('SELECT * FROM tag WHERE user_id = ? AND name_key = ?')
      .get(userId, nameKey(name)),
  /** Throws `tag-not-found`. */
  requireByName(userId: number, name: string): TagRow {
    return required(this.findByName(userId, name), 'tag')
  },

  add(userId: number, { name, color, description = null }: NewTag, now: number): TagRow {
    return db
      .query<TagRow, Record<string, string | number | null>>(
        `INSERT INTO tag (uuid, user_id, name, name_key, color, description, created_at)
         VALUES ($uuid, $userId, $name, $nameKey, $color, $description, $now) RETURNING *`,
      )
      .get({ uuid: crypto.randomUUID(), userId, name, nameKey: nameKey(name), color, description, now })!
  },
  edit(tag: TagRow, edit: TagEdit): TagRow {
    const { name, color, description = null } = { ...tag, ...edit }
    return db
      .query<TagRow, Record<string, string | number | null>>(
        `UPDATE tag SET name = $name, name_key = $nameKey, color = $color, description = $description
          WHERE id = $id RETURNING *`,
      )
      .get({ id: tag.id, name, nameKey: nameKey(name), color, description })!
  },
  remove(id: number) {
    db.query('DELETE FROM tag WHERE id = ?').run(id)
  },

  /** Returns whether the podcast did not have the tag before. */
  assign: (tagId: number, podcastId: number): boolean =>
    db.query('INSERT OR IGNORE INTO podcast_tag (tag_id, podcast_id) VALUES (?, ?)').run(tagId, podcastId).changes > 0,
  unassign(tagId: number, podcastId: number) {
    db.query('DELETE FROM podcast_tag WHERE tag_id = ? AND podcast_id = ?').run(tagId, podcastId)
  },
})
