import { MoveRefused } from '../refused'

/** A row of a dump, in the order of the columns that the dump gives. */
export type DumpRow = readonly (string | null)[]

export type AddRow = (row: DumpRow) => void

/**
 * Opens a table of a dump, once, with its columns, or null where the dump does not say them. Returns null for a table
 * that nobody reads. Throws `MoveRefused`.
 */
export type OpenTable = (table: string, columns: readonly string[] | null) => AddRow | null

export const cutOff = (where: string) =>
  new MoveRefused(`The dump ends early, ${where}. Export it once more, or copy it whole.`)

export const damagedRow = (table: string) =>
  new MoveRefused(`A row of the table ${table} cannot be read: the dump is damaged, or was cut off.`)

/** Text in another encoding would come as gibberish. Throws `MoveRefused`. */
export function requireUtf8(line: string) {
  const [, encoding] = /^(?:\/\*!\d+ )?SET (?:client_encoding = |NAMES )'?(\w+)/.exec(line) ?? []
  if (encoding !== undefined && !/^(?:utf|sql_ascii$)/i.test(encoding))
    throw new MoveRefused(`The dump is in ${encoding}. Export it in UTF-8.`)
}
