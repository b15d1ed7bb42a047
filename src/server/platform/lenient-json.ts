/**
 * Parses JSON as people write it: with commas before a closing bracket, comments, and `NaN` of Python. Undefined for
 * anything else. Takes time linear in the length of the text.
 */
export function parseLenient(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Repaired below.
  }
  try {
    return JSON.parse(mended(text))
  } catch {
    return undefined
  }
}

// Matches what may need repair, and strings, which stay as they are.
const mark = /["/,\]}]|\b(?:NaN|Infinity)\b/g

function mended(text: string): string {
  const parts: string[] = []
  let from = 0
  /** The place of the last comma among the parts; -1 = none since the last string or bracket. */
  let comma = -1
  const put = (to: number, instead: string, next: number) => {
    parts.push(text.slice(from, to), instead)
    from = next
  }
  mark.lastIndex = 0
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const at = found.index
    const [token] = found
    if (token === '"') mark.lastIndex = endOfString(text, at)
    else if (token === ',') {
      put(at, ',', at + 1)
      comma = parts.length - 1
    } else if (token === '/') {
      const end = endOfComment(text, at)
      if (end !== null) put(at, ' ', end)
      mark.lastIndex = end ?? at + 1
    } else if (token === ']' || token === '}') {
      put(at, token, at + 1)
      if (comma !== -1 && parts.slice(comma + 1, -1).every(part => part.trim() === '')) parts[comma] = ''
    } else put(at, 'null', at + token.length)
    if (token !== ',' && token !== '/') comma = -1
  }
  parts.push(text.slice(from))
  return parts.join('')
}

function endOfComment(text: string, at: number): number | null {
  const isLong = text[at + 1] === '*'
  if (!isLong && text[at + 1] !== '/') return null
  const close = text.indexOf(isLong ? '*/' : '\n', at + 2)
  return close === -1 ? text.length : close + (isLong ? 2 : 0)
}

function endOfString(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === '\\') end++
    else if (text[end] === '"') return end + 1
  }
  return text.length
}
