/** Accepts 1–64 characters without `:` (it ends the name in a Basic header), `/` and invisible ones; not `me`. */
export const isUsername = (name: string): boolean =>
  name === name.trim() &&
  name !== '' &&
  [...name].length <= 64 &&
  !/[:/\p{Cc}\u2028-\u202e\u2066-\u2069]/u.test(name) &&
  name.toLowerCase() !== 'me'

/** Whether a text has the form of an account's id: it is never read as a name, and no new name may have it. */
export const isId = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

/** Faults of a name. The interface has a text for each. */
export type NameFault = 'length' | 'characters' | 'invisible' | 'dots' | 'digits' | 'reserved'

/**
 * Finds what is wrong with the name of a new account; null = nothing. It is stricter than `isUsername`, which also
 * accepts the names that earlier versions let in: names are part of addresses, and people must be able to tell them
 * apart.
 */
export function findNameFault(name: string): NameFault | null {
  if (name.trim() === '' || [...name].length > 64) return 'length'
  if (INVISIBLE.test(name)) return 'invisible'
  if (/[:/\\%]/.test(name)) return 'characters'
  if (name === '.' || name === '..') return 'dots'
  if (/^\p{Nd}+$/u.test(name)) return 'digits'
  if (isId(name) || !isUsername(name)) return 'reserved'
  return null
}

/** Control, format, surrogate, private and unassigned characters, separators other than a space, and ignorable ones. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u

/** The rules for names, in English. */
export const nameRules: Readonly<Record<NameFault, string>> = {
  length: '1 to 64 characters',
  characters: 'no colon, slash, backslash or per cent sign',
  invisible: 'no invisible, control or unassigned characters',
  dots: 'more than dots',
  digits: 'not digits alone',
  reserved: 'another name: this one is reserved',
}

/** A name with everything that cannot be seen written as its code point: `<U+202E>`. */
export const showName = (name: string): string =>
  name.replace(new RegExp(INVISIBLE, 'gu'), character => {
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
    return `<U+${code}>`
  })
