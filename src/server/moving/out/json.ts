/** An object without the members that are null or absent. */
export const given = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined))

/** A time in RFC 3339, UTC; null for none, and for one beyond the calendar. */
export function instant(at: number | null): string | null {
  const date = at === null ? null : new Date(at)
  return date === null || Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** Writes a list as a member of an object, page by page. */
export async function* writeList(name: string, pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  yield `${JSON.stringify(name)}:[`
  yield* separated(pages, value => JSON.stringify(value))
  yield ']'
}

/** Writes an object as a member of an object; each page has members of it, none of which arrives twice. */
export async function* writeMembers(
  name: string,
  pages: AsyncIterable<readonly (readonly [string, unknown])[]>,
): AsyncGenerator<string> {
  yield `${JSON.stringify(name)}:{`
  yield* separated(pages, ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
  yield '}'
}

async function* separated<T>(pages: AsyncIterable<readonly T[]>, write: (value: T) => string): AsyncGenerator<string> {
  let isFirst = true
  for await (const page of pages) {
    if (page.length === 0) continue
    yield `${isFirst ? '\n' : ',\n'}${page.map(write).join(',\n')}`
    isFirst = false
  }
}
