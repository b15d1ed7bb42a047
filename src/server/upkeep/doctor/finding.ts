/** The result of one check. `repair` fixes it and says what it did; absent if only a person can. */
export type Finding = { level: 'fine' | 'warning' | 'problem'; text: string; repair?: () => string | Promise<string> }

export const fine = (text: string): Finding => ({ level: 'fine', text })
export const warning = (text: string, repair?: () => string | Promise<string>): Finding => ({
  level: 'warning',
  text,
  ...(repair && { repair }),
})
export const problem = (text: string, repair?: () => string | Promise<string>): Finding => ({
  level: 'problem',
  text,
  ...(repair && { repair }),
})

/** Counts things in words: `1 file is`, `2 files are`. */
export const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

/** Names the first five of many paths, and counts the rest. */
export const some = (paths: readonly string[]) =>
  `${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ` and ${paths.length - 5} more` : ''}`
