/** Longest name that is shown. */
const MAX_NAME = 60

/** Apps by words of their User-Agent in lower case, all of which are there; the more exact ones first. */
const known: readonly (readonly [words: readonly string[], name: string])[] = [
  [['shelfplayer'], 'ShelfPlayer'],
  [['plappa'], 'Plappa'],
  [['soundleaf'], 'SoundLeaf'],
  [['music assistant'], 'Music Assistant'],
  [['aiohttp'], 'Music Assistant'],
  [['audiobookshelf', 'cfnetwork'], 'Audiobookshelf (iOS)'],
  [['okhttp'], 'Audiobookshelf (Android)'],
  [['dalvik'], 'Audiobookshelf (Android)'],
  // The pages of the official app are shown by the system's web view.
  [['android', '; wv)'], 'Audiobookshelf (Android)'],
  [['iphone', 'mobile/'], 'Audiobookshelf (iOS)'],
  [['ipad', 'mobile/'], 'Audiobookshelf (iOS)'],
  [['audiobookshelf'], 'Audiobookshelf'],
  [['firefox/'], 'Firefox'],
  [['chrome/'], 'Chrome'],
  [['safari/'], 'Safari'],
]

/** The name under which a sign-in is listed: the app's, else what the app calls itself up to the first detail. */
export function nameOfApp({ headers }: Request): string {
  const agent = (headers.get('user-agent') ?? '').replace(/[\p{Cc}\p{Cf}]/gu, '').trim()
  const lower = agent.toLowerCase()
  const name = known.find(([words]) => words.every(word => lower.includes(word)))?.[1]
  return (name ?? agent.split(/[ /(]/)[0]!).slice(0, MAX_NAME) || '–'
}
