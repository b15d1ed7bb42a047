import { invalidField } from '../../platform/problem'
import type { SearchCursor } from '../../search/find'
import { stageNames } from '../../search/stages'

/** Writes where the next page of a search begins; null at its end. */
export const writeSearchCursor = (next: SearchCursor | null): string | null => next && `${next.stage}.${next.before}`

/** Reads such a place. Throws `invalid-field`. */
export function readSearchCursor(text: string | undefined): SearchCursor | null {
  if (text === undefined) return null
  const [, name, before] = /^([a-z]+)\.(\d{1,16})$/.exec(text) ?? []
  const stage = stageNames.find(known => known === name)
  if (!stage || !before) throw invalidField('cursor', 'the X-Next-Cursor of an earlier response')
  return { stage, before: Number(before) }
}
