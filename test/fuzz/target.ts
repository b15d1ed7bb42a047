import type { Arbitrary } from 'fast-check'

/** Something of the product that takes what others wrote, what may come its way, and what must hold then. */
export type Target<T = any> = {
  name: string
  inputs: Arbitrary<T>
  /** Throws a `Finding`, or whatever the product itself throws and must not. */
  check(input: T): void | Promise<void>
  /** Parts of an input that may be any text, and so may be shortened; without it the input is a text itself. */
  texts?: readonly string[]
  /** The longest time that one input may take. */
  slowMs?: number
  /** Checks what must hold after all inputs. */
  finish?(): Promise<void>
  stop?(): Promise<void>
}

/** Something that must hold does not. The same sentence is the same finding. */
export class Finding extends Error {
  override name = 'Finding'
  constructor(
    message: string,
    /** Details of this occurrence, in any shape. */
    readonly detail: unknown = null,
  ) {
    super(message)
  }
}

export function require(holds: boolean, message: string, detail: unknown = null): asserts holds {
  if (!holds) throw new Finding(message, detail)
}
