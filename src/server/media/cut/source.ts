/** Seconds, from and without. */
export type CutSpan = { from: number; to: number }

/** The reason why nothing can be cut from a file. */
export type CutRefusal = 'unsupported' | 'malformed' | 'beyond-end' | 'too-large' | 'too-slow'

export class CutRefused extends Error {
  override name = 'CutRefused'
  constructor(readonly reason: CutRefusal) {
    super(`Nothing can be cut: ${reason}`)
  }
}
