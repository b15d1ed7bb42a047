const ours = new Set<string>()

/** Names something temporary after this process, so that others can tell when nobody needs it any more. */
export function nameOfThisProcess(kind: string): string {
  const name = `${kind}-${process.pid}-${crypto.randomUUID()}`
  ours.add(name)
  return name
}

/**
 * Whether the process that made something of this name still runs. In a container each start has the same number: of
 * our own, only names that we made count.
 */
export function isOfLivingProcess(name: string): boolean {
  const pid = Number(/^[a-z-]+-(\d+)-[\da-f]{8}-[\da-f-]+$/.exec(name)?.[1] ?? Number.NaN)
  if (Number.isNaN(pid)) return false
  if (pid === process.pid) return ours.has(name)
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
