import { startRandom } from '../../test/support/random'

const VOCABULARY = 30_000

/** Words of 2 to 10 letters, the commonest first: how often each comes follows Zipf, as in natural language. */
export function createWords(seed = 1) {
  const { next: random } = startRandom(seed)
  const letters = 'etaoinshrdlcumwfgypbvkjxqz'
  const letter = () => letters[Math.floor(random() ** 1.6 * letters.length)]!
  const vocabulary = new Set<string>()
  while (vocabulary.size < VOCABULARY)
    vocabulary.add(Array.from({ length: 2 + Math.floor(random() * 9) }, letter).join(''))
  const words = [...vocabulary]
  const sums: number[] = []
  let sum = 0
  for (let rank = 1; rank <= VOCABULARY; rank++) sums.push((sum += 1 / rank))
  const word = () => {
    const wanted = random() * sum
    let [low, high] = [0, VOCABULARY - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (sums[middle]! < wanted) low = middle + 1
      else high = middle
    }
    return words[low]!
  }
  return { random, word, words, text: (count: number) => Array.from({ length: count }, word).join(' ') }
}
