/**
 * Parameters that often change from fetch to fetch: signatures, expiry dates, campaign tags. The most certain come
 * first.
 */
const volatile: readonly RegExp[] = [
  /^(utm_.*|x-amz-.*|x-goog-.*|aw_.*|awsaccesskeyid|key-pair-id|policy|sig(nature)?|hmac|expires?|exp|updated|_=?)$/i,
  /^token(-.*)?$/i,
  /^(ts|timestamp)$/i,
  /^(source|from)$/i,
  /^hash$/i,
  /^(st|t|e)$/i,
]
const MAX_NAMES = 20
/** An address with more of them is taken as it is: no host signs one so. */
const MAX_PARAMETERS = 50

/** An episode's address with what distinguishes it from the others of its list. */
export type Sample = { guid: string | null; address: string; title: string; time: number | null }

type Parts = { place: string; parameters: readonly string[] }

/**
 * Returns the function that reduces an enclosure's address to the part that stays the same between fetches: without its
 * scheme, and without volatile parameters. A parameter that distinguishes two episodes of one list (`get.php?e=1`,
 * `get.php?e=2`) is not volatile in this feed, whatever its name is. `lists`: the items of the feed, and the known
 * episodes.
 */
export function addressKeys(...lists: readonly (readonly Sample[])[]): (address: string) => string {
  const ranks = new Map<string, number>()
  for (const list of lists)
    for (const { address } of list)
      for (const text of split(address).parameters) {
        const name = nameOf(text)
        const rank = volatile.findIndex(pattern => pattern.test(name))
        if (rank >= 0 && ranks.size < MAX_NAMES) ranks.set(name, rank)
      }
  const names = [...ranks].sort(([, one], [, other]) => one - other).map(([name]) => name)

  let stripped = new Set(names)
  if (names.length > 0 && collisions(lists, stripped) > 0) {
    stripped = new Set()
    let least = collisions(lists, stripped)
    for (const name of names) {
      stripped.add(name)
      const found = collisions(lists, stripped)
      if (found > least) stripped.delete(name)
      else least = found
    }
  }
  return address => join(split(address), stripped)
}

/** Counts the samples whose reduced address is also that of another episode at another address. */
function collisions(lists: readonly (readonly Sample[])[], stripped: ReadonlySet<string>): number {
  let found = 0
  for (const list of lists) {
    const first = new Map<string, Sample>()
    for (const sample of list) {
      const key = join(split(sample.address), stripped)
      const other = first.get(key)
      if (!other) first.set(key, sample)
      else if (other.address !== sample.address && !isSame(other, sample)) found++
    }
  }
  return found
}

const isSame = (one: Sample, other: Sample) =>
  one.title === other.title && one.time === other.time && one.guid === other.guid

const none: Parts['parameters'] = []

const nameOf = (parameter: string) => parameter.split('=', 1)[0]!

const lengthOfScheme = (address: string) =>
  address.startsWith('https://') ? 8 : (/^https?:\/\//i.exec(address)?.[0].length ?? 0)

function split(address: string): Parts {
  const hash = address.indexOf('#')
  const bare = address.slice(lengthOfScheme(address), hash === -1 ? address.length : hash)
  const at = bare.indexOf('?')
  if (at < 0) return { place: bare, parameters: none }
  const parameters = bare
    .slice(at + 1)
    .split('&')
    .filter(text => text !== '')
  return parameters.length > MAX_PARAMETERS
    ? { place: bare, parameters: none }
    : { place: bare.slice(0, at), parameters }
}

function join({ place, parameters }: Parts, stripped: ReadonlySet<string>): string {
  if (parameters.length === 0) return place
  const kept = parameters.filter(text => !stripped.has(nameOf(text)))
  return kept.length > 0 ? `${place}?${kept.sort().join('&')}` : place
}
