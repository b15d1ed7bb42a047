/** Items of a list that are read, presented or written at once: a few milliseconds of work. */
const PART = 1_000

/**
 * Works through a long list in parts, and lets other requests be answered between them. `size`: fewer where an item
 * takes longer.
 */
export async function inParts<Item>(
  items: readonly Item[],
  work: (part: readonly Item[]) => void,
  size = PART,
): Promise<void> {
  for (let from = 0; from < items.length; from += size) {
    if (from > 0) await new Promise(setImmediate)
    work(items.slice(from, from + size))
  }
}

/** Writes a value as JSON; a long list in parts. */
export function writeJson(value: unknown): string | Promise<string> {
  return Array.isArray(value) && value.length > PART ? writeList(value) : JSON.stringify(value)
}

async function writeList(items: readonly unknown[]): Promise<string> {
  const texts: string[] = []
  await inParts(items, part => {
    texts.push(JSON.stringify(part).slice(1, -1))
  })
  return `[${texts.join(',')}]`
}
