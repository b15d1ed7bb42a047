/** What an examination found. `mend` puts it right and says what it did; it is there only where that can be done. */
export type Finding = { level: 'fine' | 'warning' | 'problem'; text: string; mend?: () => string }

export const fine = (text: string): Finding => ({ level: 'fine', text })
export const warning = (text: string, mend?: () => string): Finding => ({
  level: 'warning',
  text,
  ...(mend && { mend }),
})
export const problem = (text: string, mend?: () => string): Finding => ({
  level: 'problem',
  text,
  ...(mend && { mend }),
})
