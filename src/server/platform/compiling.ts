import { noFTL } from 'bun:jsc'

// Why: docs/internals/decisions/0001

/**
 * Keeps functions that mostly call others out of the engine's last compiler. It would put dozens of functions into one,
 * and compiling that takes ten to twenty megabytes for up to half a second; what they call is compiled on its own.
 */
export function keepSmall(...functions: ((...args: never[]) => unknown)[]) {
  for (const one of functions) noFTL(one)
}
