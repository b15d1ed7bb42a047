/** Result of one examination. `repair` fixes it and says what it did; absent where only a person can. */
export type Finding = { level: 'fine' | 'warning' | 'problem'; text: string; repair?: () => string }

export const fine = (text: string): Finding => ({ level: 'fine', text })
export const warning = (text: string, repair?: () => string): Finding => ({
  level: 'warning',
  text,
  ...(repair && { repair }),
})
export const problem = (text: string, repair?: () => string): Finding => ({
  level: 'problem',
  text,
  ...(repair && { repair }),
})

/** Names the first of many paths. */
export const some = (paths: readonly string[]) =>
  `${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ` and ${paths.length - 5} more` : ''}`
