import { closestLanguage } from '../../../shared/closest-language'
import { knownLanguages } from '../../platform/texts'

/**
 * The language of ours that a visitor's browser asks for first, by `Accept-Language`; English where it asks for none.
 */
export function visitorLanguage({ headers }: Request): string {
  const wanted = (headers.get('accept-language') ?? '')
    .slice(0, 500)
    .split(',')
    .map(part => {
      const [code = '', ...options] = part.split(';').map(text => text.trim())
      const weight = options.find(option => option.startsWith('q='))
      return { code, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
  for (const { code } of wanted) {
    const found = closestLanguage(code, knownLanguages)
    if (found) return found
  }
  return 'en'
}
