const MOST_READ = 600
const LONGEST = 200

/**
 * The beginning of notes as one line of text, which stays escaped: apps show it as HTML. The notes may be cut off in the
 * middle of a tag.
 */
export function subtitleOf(notes: string): string {
  const text = notes
    .slice(0, MOST_READ)
    .replace(/<[^<>]*(?:>|$)/g, ' ')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/\s+/g, ' ')
    .trim()
  return text.length <= LONGEST && notes.length < MOST_READ ? text : cut(text)
}

/** Cuts at the end of a word, and never within an entity. */
function cut(text: string): string {
  const short = text.slice(0, LONGEST)
  const end = short.lastIndexOf(' ')
  return `${(end > LONGEST / 2 ? short.slice(0, end) : short).toWellFormed().replace(/&[^&;]*$/, '')}…`
}
