import { MOST_LINE } from '../read-lines'
import { MoveRefused } from '../refused'
import { cutOff } from './table'

const [QUOTE, DOUBLE, BACKTICK, BACKSLASH] = [39, 34, 96, 92]
const NONE = 0
const begins = /^(?:CREATE TABLE|INSERT(?: IGNORE)? INTO|REPLACE INTO) /
/** Many short lines take more memory than their text. */
const BYTES_OF_A_LINE = 64

/**
 * Joins the lines of statements that make or fill a table, up to the `;` that is not in quotes; every other line is
 * passed on alone. Throws `MoveRefused` for a statement that is too long, or has no end.
 */
export function* readStatements(lines: Iterable<string>): Generator<string, void> {
  let text: string | null = null
  let size = 0
  let quote = NONE
  for (const line of lines) {
    if (text === null && !begins.test(line)) {
      yield line
      continue
    }
    size = (text === null ? 0 : size) + line.length + BYTES_OF_A_LINE
    if (size > MOST_LINE) throw new MoveRefused(`The dump has a statement of more than ${MOST_LINE} bytes`)
    text = text === null ? line : `${text}\n${line}`
    quote = quoteAfter(line, quote)
    if (quote !== NONE || !/;\s{0,20}$/.test(line.slice(-20))) continue
    yield text
    text = null
  }
  // Only the name is said: the values may be secrets.
  if (text !== null) throw cutOff(`in the table ${/`([^`]{1,64})`/.exec(text.slice(0, 200))?.[1] ?? 'that comes last'}`)
}

/** The kind of quotes that are open after a line, if these were open before it. */
function quoteAfter(line: string, before: number): number {
  let quote = before
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (quote === NONE) {
      if (code === QUOTE || code === DOUBLE || code === BACKTICK) quote = code
    } else if (code === quote) quote = NONE
    else if (code === BACKSLASH && quote !== BACKTICK) at++
  }
  return quote
}
