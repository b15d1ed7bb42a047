import type { SmartOrder } from '../../../src/shared/api/playlist'
import type { SmartCondition, SmartQuery } from '../../../src/server/store/smart-conditions'
import { queryOf, titleTest, wholeTerms } from '../../../src/server/search/words'
import { people } from './vary'

const DAY = 86_400_000

export type Case = { name: string; userId: number; query: SmartQuery }

const orders: readonly SmartOrder[] = ['newest', 'oldest', 'shortest', 'longest', 'podcast', 'played']

/**
 * Each rule alone, templates, and combinations that are known to be bad. `now`: milliseconds; words: rare to common.
 */
export function casesOf(now: number, words: Record<'rare' | 'usual' | 'common', string>): Record<string, Case[]> {
  const title = (word: string, isNot = false): SmartCondition => ({
    field: 'title',
    isNot,
    match: queryOf(wholeTerms([word])),
    isIn: titleTest([word]),
  })
  const younger = (days: number): SmartCondition => ({ field: 'age', op: 'within', since: now - days * DAY })
  const older = (days: number): SmartCondition => ({ field: 'age', op: 'older', since: now - days * DAY })
  const atMost = (seconds: number): SmartCondition => ({ field: 'duration', op: 'at-most', seconds })
  const atLeast = (seconds: number): SmartCondition => ({ field: 'duration', op: 'at-least', seconds })
  const unplayed: SmartCondition = { field: 'played', is: 'unplayed' }
  const started: SmartCondition = { field: 'played', is: 'started' }
  const finished: SmartCondition = { field: 'played', is: 'finished' }
  const favourite: SmartCondition = { field: 'favourite', is: true }
  const tag: SmartCondition = { field: 'tag', isNot: false, ids: [1] }
  const news: SmartCondition = { field: 'podcast', isNot: false, ids: [5, 6, 7] }
  const downloaded: SmartCondition = { field: 'downloaded', is: true }
  const liked: SmartCondition = { field: 'liked', is: true }
  const trailer: SmartCondition = { field: 'type', is: 'trailer' }
  const season: SmartCondition = { field: 'season', is: 7 }

  const all = (name: string, conditions: SmartCondition[], userId = people.usual): Case[] =>
    orders.map(order => ({ name, userId, query: { match: 'all', conditions, order, limit: 50 } }))
  const any = (name: string, conditions: SmartCondition[]): Case[] =>
    orders.map(order => ({ name, userId: people.usual, query: { match: 'any', conditions, order, limit: 50 } }))

  return Object.fromEntries(
    [
      all('no rule', []),
      all('no rule, without consent', [], people.child),
      all('three podcasts', [news]),
      all('not three podcasts', [{ ...news, isNot: true } as SmartCondition]),
      all('a tag', [tag]),
      all('favourites', [favourite]),
      all('no favourites', [{ field: 'favourite', is: false }]),
      all('unplayed', [unplayed]),
      all('started', [started]),
      all('finished', [finished]),
      all('downloaded', [downloaded]),
      all('not downloaded', [{ field: 'downloaded', is: false }]),
      all('liked', [liked]),
      all('not liked', [{ field: 'liked', is: false }]),
      all('at most five minutes', [atMost(300)]),
      all('at least 115 minutes', [atLeast(6900)]),
      all('at least 10 hours', [atLeast(36_000)]),
      all('of the last week', [younger(7)]),
      all('older than a year', [older(365)]),
      all('older than ten years', [older(3650)]),
      all('a rare word', [title(words.rare)]),
      all('a usual word', [title(words.usual)]),
      all('a common word', [title(words.common)]),
      all('a word that no title has', [title('zzzzzz')]),
      all('without a usual word', [title(words.usual, true)]),
      all('without a common word', [title(words.common, true)]),
      all('a season', [season]),
      all('a season that is none', [{ field: 'season', is: 999 }]),
      all('trailers', [trailer]),
      all('fresh and short', [unplayed, younger(14), atMost(1800)]),
      all('begun', [started]),
      all('bedtime', [unplayed, favourite, atLeast(600), atMost(2700)]),
      all("the week's news", [tag, younger(7), unplayed]),
      all('from the archive', [unplayed, older(365), favourite]),
      all('unplayed, of one who played everything', [unplayed], people.tireless),
      all('finished, of one who played everything', [finished], people.tireless),
      all('all fields, few matches', [unplayed, favourite, downloaded, atMost(3000), title(words.usual)]),
      any('any of a rare word and everything unplayed', [title(words.rare), unplayed]),
      any('any of liked, started, trailers', [liked, started, trailer]),
      any('any of five common ones', [unplayed, downloaded, atMost(3000), older(30), title(words.common)]),
      all('two common ones with nothing in common', [title(words.common), atLeast(6900), downloaded, season]),
      all('older ones of the last week', [older(365), younger(7)]),
    ].map(cases => [cases[0]!.name, cases]),
  )
}
