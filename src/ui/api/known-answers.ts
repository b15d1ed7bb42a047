const MAX_ANSWERS = 30

export type Answer<T> = { data: T; nextCursor: string | null }
type Known = { etag: string; answer: Answer<unknown> }

/** The last answers that came with a validator, by their address: the server need not send them again. */
export function createKnownAnswers() {
  const known = new Map<string, Known>()
  return {
    etagOf: (url: string): string | null => known.get(url)?.etag ?? null,
    /** The same object as before, so that nothing is drawn anew. */
    find: <T>(url: string) => known.get(url)?.answer as Answer<T> | undefined,
    keep<T>(url: string, etag: string, answer: Answer<T>) {
      known.delete(url)
      known.set(url, { etag, answer })
      if (known.size > MAX_ANSWERS) known.delete(known.keys().next().value!)
    },
  }
}
