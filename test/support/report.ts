export type Report = ReturnType<typeof startReport>

/** Prints and counts what was tried; what could not be tried is skipped, never passed. */
export function startReport(print: (line: string) => void = console.log) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  return {
    counts,
    /** Answers whether it is fine, so that what depends on it can be left out. */
    check(name: string, isFine: boolean, detail = ''): boolean {
      counts[isFine ? 'passed' : 'failed']++
      print((isFine ? 'ok      ' : 'FAILED  ') + name)
      if (!isFine && detail) print(`        ${detail.trim().replaceAll('\n', '\n        ')}`)
      return isFine
    },
    skip(name: string, reason: string) {
      counts.skipped++
      print(`skipped ${name}: ${reason}`)
    },
    summary: () => `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
  }
}

/** Names the first program that is not installed; null if all are. */
export const findMissing = (programs: readonly string[]) => programs.find(program => !Bun.which(program)) ?? null
