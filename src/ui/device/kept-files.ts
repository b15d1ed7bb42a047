const CACHE = 'castellan-kept'

export type KeptFiles = typeof keptFiles

/**
 * The browser's cache of media files and covers that play without the server. Needs https, or the server's own machine.
 */
export const keptFiles = {
  isPossible: 'caches' in globalThis && 'serviceWorker' in navigator,

  /** Fetches a media file and returns its bytes. Throws if it cannot be fetched, or if there is no room. */
  async fetch(address: string, onProgress: (share: number) => void): Promise<number> {
    // Loaded when somebody keeps an episode.
    const { fetchInto } = await import('./fetch-into')
    return fetchInto(await caches.open(CACHE), address, onProgress)
  },
  /** Fetches a picture, if possible. */
  async addPicture(address: string) {
    const cache = await caches.open(CACHE)
    await cache.add(address).catch(() => undefined)
  },
  /** Finds a file and returns an address within this page for it; null if it is not stored. */
  async addressOf(address: string): Promise<string | null> {
    const response = await caches.match(address, { cacheName: CACHE })
    return response ? URL.createObjectURL(await response.blob()) : null
  },
  async remove(address: string) {
    const cache = await caches.open(CACHE)
    await cache.delete(address)
  },
  async clear() {
    if (keptFiles.isPossible) await caches.delete(CACHE)
  },
}
