/** Accepts 1–64 characters without `:` (it ends the name in a Basic header), `/` and invisible ones; not `me`. */
export const isUsername = (name: string): boolean =>
  name === name.trim() &&
  name !== '' &&
  [...name].length <= 64 &&
  !/[:/\p{Cc}\u2028-\u202e\u2066-\u2069]/u.test(name) &&
  name.toLowerCase() !== 'me'

/** Whether a text has the form of an account's id: it is never read as a name, and no new name may have it. */
export const isId = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
