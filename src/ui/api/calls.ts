import type { Chosen } from '../../shared/api/episode'
import { MAX_CHOSEN } from '../../shared/limits'
import type { ChangeOptions, Client, Query } from './client'
import type { Routes } from './routes'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type PathOf<M extends Method> = keyof Routes extends infer Route
  ? Route extends `${M} ${infer Path}`
    ? Path
    : never
  : never
type RouteOf<M extends Method, Path extends string> = Routes[`${M} ${Path}` & keyof Routes]

/** A text for each `:name` of a path. */
type Parts<Path extends string> = Path extends `${string}:${infer Rest}` ? [part: string, ...Parts<Rest>] : []

/** The values of a query; one that is null is not sent. */
type Values<Query> = { [Name in keyof Query]: undefined extends Query[Name] ? Query[Name] | null : Query[Name] }
type QueryOf<Route> = Route extends { query: infer Query }
  ? {} extends Query
    ? [query?: Values<Query>, signal?: AbortSignal]
    : [query: Values<Query>, signal?: AbortSignal]
  : [signal?: AbortSignal]

/** A body whose lists may be read-only. */
type Sent<Body> = { [Name in keyof Body]: Body[Name] extends (infer Item)[] ? readonly Item[] : Body[Name] }
type BodyOf<Route> = Route extends { body: infer Body }
  ? null extends Body
    ? [body?: Sent<Body>, options?: ChangeOptions]
    : [body: Sent<Body>, options?: ChangeOptions]
  : [body?: undefined, options?: ChangeOptions]

type Answer<Route> = Route extends { answer: infer Data } ? Data : never
type Reading<Path extends string> = [...Parts<Path>, ...QueryOf<RouteOf<'GET', Path>>]
type Changing<M extends Method, Path extends string> = [...Parts<Path>, ...BodyOf<RouteOf<M, Path>>]

export type Calls = ReturnType<typeof callsOf>

/**
 * Makes functions from routes: `put('/tags/:id')` takes an id and the body of that route, and returns its answer.
 * `page` also returns the cursor of the next page, `file` the bytes.
 */
export function callsOf(client: Client) {
  const reads =
    (kind: 'get' | 'page' | 'file') =>
    (path: string) =>
    (...given: unknown[]) => {
      const filled = fill(path, given)
      const query = given[0] instanceof AbortSignal ? {} : ((given.shift() ?? {}) as Query)
      return client[kind](filled, query, given[0] as AbortSignal | undefined)
    }
  const changes =
    (kind: 'post' | 'put' | 'remove') =>
    (path: string) =>
    (...given: unknown[]) =>
      client[kind](fill(path, given), given[0], given[1] as ChangeOptions)
  return {
    get: reads('get') as <P extends PathOf<'GET'>>(
      path: P,
    ) => (...given: Reading<P>) => Promise<Answer<RouteOf<'GET', P>>>,
    page: reads('page') as <P extends PathOf<'GET'>>(
      path: P,
    ) => (...given: Reading<P>) => Promise<{ data: Answer<RouteOf<'GET', P>>; nextCursor: string | null }>,
    file: reads('file') as <P extends PathOf<'GET'>>(path: P) => (...given: Reading<P>) => Promise<Blob>,
    post: changes('post') as Change<'POST'>,
    put: changes('put') as Change<'PUT'>,
    remove: changes('remove') as Change<'DELETE'>,
  }
}

type Change<M extends Method> = <P extends PathOf<M>>(
  path: P,
) => (...given: Changing<M, P>) => Promise<Answer<RouteOf<M, P>>>

/** Replaces the names in a path with the first of the given values, which are removed. */
const fill = (path: string, given: unknown[]) =>
  path.replace(/:\w+/g, () => encodeURIComponent(given.shift() as string))

/** The body of a call about chosen episodes, or about all that match a filter. */
export function chosenBody(chosen: Chosen) {
  if ('length' in chosen) return { episodes: [...chosen] }
  const { except = [], ...matching } = chosen
  return { episodes: [...except], matching }
}

/** Calls the server with chosen episodes, in as many pieces as it takes; a filter is one. */
export async function inPieces<T>(chosen: Chosen, call: (piece: Chosen) => Promise<T>): Promise<T[]> {
  if (!('length' in chosen)) return [await call(chosen)]
  const answers: T[] = []
  for (let at = 0; at < chosen.length; at += MAX_CHOSEN) answers.push(await call(chosen.slice(at, at + MAX_CHOSEN)))
  return answers
}

/** The filters and order of a podcast's episodes. */
export type EpisodeQuery = {
  new?: boolean
  unlistened?: boolean
  downloaded?: boolean
  liked?: boolean
  text?: string
  order?: 'newest' | 'oldest'
  limit?: number
}

export const parametersOf = ({ new: only_new, unlistened: only_unlistened, text: q, ...rest }: EpisodeQuery) => ({
  ...rest,
  only_new,
  only_unlistened,
  q,
})
