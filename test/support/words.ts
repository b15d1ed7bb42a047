import { startRandom } from '../../test/support/random'

const VOCABULARY = 30_000
let vocabulary: readonly string[] | null = null
const sums = Array.from({ length: VOCABULARY }, () => 0)

/** Words of 2 to 10 letters, the commonest first. Everybody speaks the same ones, so that searches find something. */
function speak(): readonly string[] {
  const { next: random } = startRandom(1)
  const letters = 'etaoinshrdlcumwfgypbvkjxqz'
  const letter = () => letters[Math.floor(random() ** 1.6 * letters.length)]!
  const words = new Set<string>()
  while (words.size < VOCABULARY) words.add(Array.from({ length: 2 + Math.floor(random() * 9) }, letter).join(''))
  let sum = 0
  for (let rank = 1; rank <= VOCABULARY; rank++) sums[rank - 1] = sum += 1 / rank
  return [...words]
}

/** Draws words of one vocabulary: how often each comes follows Zipf, as in natural language. */
export function createWords(seed = 1) {
  const words = (vocabulary ??= speak())
  const { next: random } = startRandom(seed)
  const word = () => {
    const wanted = random() * sums.at(-1)!
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
