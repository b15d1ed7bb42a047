const MOST_READ = 400
const LONGEST = 160

/** Single spaces, which are most, are left as they are. */
const severalSpaces = /[^\S ]\s*| \s+/g

/**
 * The beginning of notes as one line of text, which stays escaped: apps show it as HTML. The notes may be cut off in
 * the middle of a tag.
 */
export function subtitleOf(notes: string): string {
  const text = withoutTags(notes.slice(0, MOST_READ)).replace(severalSpaces, ' ').trim()
  return text.length <= LONGEST && notes.length < MOST_READ ? text : cut(text)
}

const withoutTags = (html: string) =>
  html.includes('<') || html.includes('>')
    ? html
        .replace(/<[^<>]*(?:>|$)/g, ' ')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
    : html

/** Cuts at the end of a word, and never within an entity. */
function cut(text: string): string {
  const short = text.slice(0, LONGEST)
  const end = short.lastIndexOf(' ')
  return `${(end > LONGEST / 2 ? short.slice(0, end) : short).toWellFormed().replace(/&[^&;]*$/, '')}…`
}
