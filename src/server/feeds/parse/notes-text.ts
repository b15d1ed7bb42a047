/** Converts sanitised HTML to text: words around a tag stay apart, and entities become characters. */
export const textOf = (html: string): string =>
  html.includes('<') || html.includes('&')
    ? html
        .replace(/<[^<>]*>/g, ' ')
        .replace(/&(amp|lt|gt|quot|apos|nbsp|#39);/g, (_, name: string) => entities[name]!)
        .replace(/\s+/g, ' ')
        .replace(/ (?=[.,;:!?])/g, '')
        .trim()
    : html

const blockEnd = /<(?:\/(?:p|li|h[1-6]|div|blockquote|pre|tr|d[dt])|br ?\/?)>/gi

/** Converts sanitised HTML to one line for reading: a dot between blocks, unless the first ends as a sentence. */
export const lineOf = (html: string): string =>
  textOf(html.replace(blockEnd, '\ue000'))
    .replace(/ ?\ue000[ \ue000]*/g, ' · ')
    .replace(/([.,:;!?…]) · /g, '$1 ')
    .replace(/^ · | · $/g, '')

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', '#39': "'" }

/** The text by which an episode's notes are found; its author is prepended if it isn't the podcast's. */
export function searchedNotes({ author, notes }: { author: string | null; notes: string }): string {
  const text = textOf(notes)
  return author === null ? text : `${author} · ${text}`
}
