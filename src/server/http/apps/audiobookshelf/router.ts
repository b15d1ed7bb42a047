import { decodeSegment } from '../../core/query'

/** A call that apps make: `GET /api/items/:item`; parts of a path that begin with a colon stand for one segment. */
export type Route<T> = { method: string; path: string; target: T }

type Found<T> = { target: T; parts: Record<string, string> }
type Pattern<T> = { method: string; segments: readonly string[]; target: T }

/** Finds calls by method and path. `allowed`: the methods that the path accepts where the one asked for is none. */
export function createRouter<T>(routes: readonly Route<T>[]) {
  // Most paths have the same few names in front: those behind them are few enough to be tried one by one.
  const byStart = Map.groupBy(
    routes.map(({ method, path, target }): Pattern<T> => ({ method, segments: segmentsOf(path), target })),
    ({ segments }) => startOf(segments),
  )

  return (method: string, path: string): Found<T> | { allowed: string[] } => {
    const segments = segmentsOf(path)
    const matching = (byStart.get(startOf(segments)) ?? []).filter(pattern => fits(pattern.segments, segments))
    const best = matching.find(pattern => pattern.method === method)
    if (!best) return { allowed: matching.map(pattern => pattern.method) }
    return { target: best.target, parts: partsOf(best.segments, segments) }
  }
}

const segmentsOf = (path: string) =>
  path
    .replace(/(?<!\/)\/+$/, '')
    .split('/')
    .slice(1)
const startOf = ([first = '', second = '']: readonly string[]) => (first === 'api' ? `api/${second}` : first)

/** A fixed segment never stands for a variable one: the routes name it first. */
const fits = (pattern: readonly string[], segments: readonly string[]) =>
  pattern.length === segments.length &&
  pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))

const partsOf = (pattern: readonly string[], segments: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    pattern.flatMap((part, index) => (part.startsWith(':') ? [[part.slice(1), decodeSegment(segments[index]!)]] : [])),
  )
