import type { Store } from '../../store'

/**
 * The weight of a transaction, in new episodes. Other writers wait for some ten milliseconds; adding fewer at once makes
 * indexing dearer.
 */
export const FULL = 100

/** Some of the work of a transaction. `run` returns whether the transaction should end with it. */
export type Piece = { weight: number; run: () => boolean | void }

/**
 * Runs pieces in order, in as few transactions as their weights allow. `mayContinue` is asked in each transaction;
 * returns false when it refused.
 */
export async function inFewTransactions(
  store: Pick<Store, 'inTurn'>,
  pieces: Generator<Piece, void>,
  mayContinue: () => boolean,
): Promise<boolean> {
  let next = pieces.next()
  const runSome = () => {
    if (!mayContinue()) return false
    let left = FULL
    while (!next.done && (left === FULL || next.value.weight <= left)) {
      left = next.value.run() ? Number.NEGATIVE_INFINITY : left - next.value.weight
      next = pieces.next()
    }
    return true
  }
  while (!next.done) if (!(await store.inTurn(runSome))) return false
  return true
}

/** Cuts the work on a list into pieces; `most` items fill a transaction. */
export function* inChunks<T>(list: readonly T[], most: number, work: (chunk: T[]) => void): Generator<Piece, void> {
  for (let at = 0; at < list.length; at += most) {
    const chunk = list.slice(at, at + most)
    yield { weight: (chunk.length * FULL) / most, run: () => work(chunk) }
  }
}
