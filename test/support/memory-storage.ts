/** A storage of the browser, in memory. `isFull` makes it refuse to store anything. */
export function createMemoryStorage(initial: Record<string, string> = {}) {
  const stored = new Map(Object.entries(initial))
  return {
    stored,
    isFull: false,
    getItem: (key: string) => stored.get(key) ?? null,
    setItem(key: string, value: string) {
      if (this.isFull) throw new DOMException('The quota is exceeded', 'QuotaExceededError')
      stored.set(key, value)
    },
    removeItem: (key: string) => void stored.delete(key),
    clear: () => stored.clear(),
    key: (at: number) => [...stored.keys()][at] ?? null,
    get length() {
      return stored.size
    },
  }
}
