/** The facts in the name of a file; the date in milliseconds, null = none in the name. */
export type NameFacts = { title: string; at: number | null; number: number | null }

const dated = /^(\d{4})([-._ ]?)(\d{2})\2(\d{2})(?!\d)/
const numbered = /^(?:(0\d{0,4})[\s_]|#?(\d{1,5})\s{0,3}[-–_.)](?!\d))/
const ended = /\.\w{1,5}$/

/** Reads `2021-03-04 Title.mp3`, `012 - Title.mp3` and both, one after the other. */
export function readFileName(name: string): NameFacts {
  const bare = name.replace(ended, '')
  const spaced = /\s/.test(bare) ? bare : bare.replaceAll('_', ' ')
  const date = dated.exec(spaced)
  const at = date ? dayOf(Number(date[1]), Number(date[3]), Number(date[4])) : null
  const rest = at === null ? spaced : withoutMarks(spaced.slice(date![0].length))
  const number = numbered.exec(rest)
  const title = number ? withoutMarks(rest.slice(number[0].length)) : rest
  return { title: title || spaced, at, number: number ? Number(number[1] ?? number[2]) : null }
}

/** Removes what separates a number from a title. */
function withoutMarks(text: string): string {
  let at = 0
  while (at < text.length && /[\s\-–_.)]/.test(text[at]!)) at++
  return text.slice(at).trim()
}

function dayOf(year: number, month: number, day: number): number | null {
  const at = Date.UTC(year, month - 1, day)
  const isDay = new Date(at).getUTCMonth() === month - 1 && year >= 1995
  return isDay ? at : null
}
