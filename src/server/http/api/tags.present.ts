import type { Tag } from '../../../shared/api/tag'
import type { TagRow } from '../../store/tags'
import { writeInstant } from '../core/instants'

export type TagFacts = Pick<TagRow, 'uuid' | 'name' | 'color' | 'description' | 'created_at'>

export const presentTag = (row: TagFacts, userUuid: string): Tag => ({
  id: row.uuid,
  name: row.name,
  color: row.color,
  user_id: userUuid,
  description: row.description,
  created_at: writeInstant(row.created_at),
})
