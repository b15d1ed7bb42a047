import type { Chosen } from '../../shared/api/episode'
import { MAX_CHOSEN } from '../../shared/limits'

/** Calls the server with chosen episodes, in as many pieces as it takes; a filter is one. */
export async function inPieces<T>(chosen: Chosen, call: (piece: Chosen) => Promise<T>): Promise<T[]> {
  if ('podcast' in chosen) return [await call(chosen)]
  const answers: T[] = []
  for (let at = 0; at < chosen.length; at += MAX_CHOSEN) answers.push(await call(chosen.slice(at, at + MAX_CHOSEN)))
  return answers
}
