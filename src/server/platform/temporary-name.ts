/** Names something temporary after this process, so that others can tell when nobody needs it any more. */
export const nameOfThisProcess = (kind: string) => `${kind}-${process.pid}-${crypto.randomUUID()}`

/** Whether a name is that of something temporary whose process may still be alive; of ours only what it made. */
export function isOfLivingProcess(name: string): boolean {
  const pid = /^[a-z-]+-(\d+)-[\da-f]{8}-[\da-f-]+$/.exec(name)?.[1]
  if (pid === undefined) return false
  try {
    return process.kill(Number(pid), 0)
  } catch (error) {
    // The process of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
