/** Finds the language that a code means, undefined where there is none: `de` and `de-AT` mean German. */
export function closestLanguage<T extends string>(code: string, known: readonly T[]): T | undefined {
  const [base] = code.toLowerCase().split(/[-_]/)
  return known.find(language => language === code) ?? known.find(language => language.split('-')[0] === base)
}
