const known = ['GET', 'POST', 'PUT', 'DELETE']

/** The methods that a path accepts, written as in an `Allow` header; '' if none. `calls` are like `GET /tags/:id`. */
export function methodsAt(path: string, calls: Iterable<string>): string {
  const found = new Set<string>()
  for (const call of calls) {
    const [method, route] = call.split(' ') as [string, string]
    if (known.includes(method) && !found.has(method) && patternOf(route).test(path)) found.add(method)
  }
  return known
    .filter(method => found.has(method))
    .map(method => (method === 'GET' ? 'GET, HEAD' : method))
    .join(', ')
}

const patterns = new Map<string, RegExp>()

/** Matches the paths of a route: `:id` stands for one segment, `*` for the rest. */
function patternOf(route: string): RegExp {
  const pattern =
    patterns.get(route) ??
    new RegExp(
      `^${route
        .replace(/\/$/, '')
        .replace(/:[^/]+/g, '[^/]+')
        .replace(/\*$/, '.*')}/?$`,
    )
  patterns.set(route, pattern)
  return pattern
}
