/** Letters that Unicode does not take apart, and how people type them. */
const typedAs: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ς: 'σ',
}
const special = new RegExp(`[${Object.keys(typedAs).join('')}]`, 'g')

/** Accents, and the vowel points of Hebrew and Arabic. Other marks are letters: vowels of Thai, the dots of が. */
const accents = /(?=[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}])(?![\u3099\u309a])\p{M}/gu

/** Whether a text consists of ASCII, most of which folding leaves as it is. */
export const isPlain = (text: string) => !/[^\0-\x7f]/.test(text)

/** Folds a text for comparison: without case and accents, with the letters that people type. */
export const fold = (text: string): string =>
  isPlain(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replace(accents, '')
        .toLowerCase()
        .replace(special, letter => typedAs[letter]!)
        .normalize('NFC')

/** Letters that folding may change, each with its marks. */
const changing = /[\uff66-\uff9d][\uff9e\uff9f]|[^\0-\x7f]\p{M}*|[\0-\x7f]\p{M}+/gu

const MAX_REMEMBERED = 5000
const lengths = new Map<string, number>()

function foldedLength(letter: string): number {
  const known = lengths.get(letter)
  if (known !== undefined) return known
  if (lengths.size >= MAX_REMEMBERED) lengths.clear()
  const { length } = fold(letter)
  lengths.set(letter, length)
  return length
}

/**
 * Folds a text. `placeOf` finds the place in the text of one in the folded text; within a letter that became several,
 * the place behind it.
 */
export function foldWithPlaces(text: string): { folded: string; placeOf: (at: number) => number } {
  const folded = fold(text)
  if (folded.length === text.length) return { folded, placeOf: at => at }
  // Letters whose length changes: where they are in the folded text, and where they end in the other.
  const letters: { from: number; to: number; end: number }[] = []
  let shift = 0
  for (const { 0: letter, index } of text.matchAll(changing)) {
    const length = foldedLength(letter)
    if (length === letter.length) continue
    const from = index - shift
    shift += letter.length - length
    letters.push({ from, to: from + length, end: index + letter.length })
  }
  return {
    folded,
    placeOf(at) {
      const last = letters.findLast(({ from }) => from < at)
      if (!last) return at
      return Math.min(at < last.to ? last.end : at - last.to + last.end, text.length)
    },
  }
}

/** Letters of scripts in which no blanks separate the words, or not always: a text is found by any part of them. */
export const unspaced =
  '\\p{Script_Extensions=Han}\\p{Script_Extensions=Hiragana}\\p{Script_Extensions=Katakana}' +
  '\\p{Script_Extensions=Hangul}\\p{Script_Extensions=Bopomofo}' +
  '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
