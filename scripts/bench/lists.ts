import { createWords } from '../../test/support/words'
import { callsOf } from './api'

export type List = { name: string; address: () => string }

/** Lists and searches that people look at, each request of another podcast or for other words. */
export async function listsOf(origin: string): Promise<List[]> {
  const podcasts = await callsOf(origin)<{ id: string }[]>('GET', '/podcasts')
  const api = `${origin}/api/v1`
  const { word, words, random } = createWords(7)
  const any = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!
  const search = (text: string) => `${api}/search?q=${encodeURIComponent(text)}`
  return [
    { name: 'timeline, the newest 25', address: () => `${api}/podcasts/timeline?limit=25` },
    { name: '50 episodes of a podcast', address: () => `${api}/podcasts/${any(podcasts).id}/episodes?limit=50` },
    { name: 'the list of all podcasts', address: () => `${api}/podcasts` },
    { name: 'search, one letter', address: () => search(any([...'etaoinshrd'])) },
    { name: 'search, a word', address: () => search(word()) },
    { name: 'search, three words', address: () => search([word(), word(), any(words)].join(' ')) },
  ]
}
