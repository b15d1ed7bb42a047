import { useSignals } from '@preact/signals-react/runtime'
import { useApp } from '../../../app-context'

/** `serverUrl`: the address that the server believes to have, with a slash at the end. */
type Place = { origin: string; prefix: string; serverUrl: string }

/** The address that an app needs, and what may keep the app from reaching it. */
export type ServerAddress = { address: string; isLocal: boolean; isPlain: boolean }

/**
 * The address under which this browser found the server: it works in the same network. The configured one replaces it
 * if it is the browser's own machine.
 */
export function findServerAddress({ origin, prefix, serverUrl }: Place): ServerAddress {
  const own = `${origin}${prefix}`
  const address = isLocal(own) ? serverUrl.replace(/\/$/, '') : own
  return { address, isLocal: isLocal(address), isPlain: address.startsWith('http:') }
}

/** Whether an address means the machine that opens it. */
function isLocal(address: string): boolean {
  const { hostname } = new URL(address)
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(hostname)
}

/** The address of the server for apps. */
export function useServerAddress(): ServerAddress {
  useSignals()
  const { prefix, session } = useApp()
  const { origin } = location
  return findServerAddress({ origin, prefix, serverUrl: session.config.value?.serverUrl ?? origin })
}

/** A way for apps to reach the library. `setting`: the variable that turns it on, if it can be off. */
export type Way = { name: string; apps: readonly string[]; setting?: string }

/** The ways in the order in which they are offered; their texts are `apps-<name>` and so on. */
export const ways = {
  library: {
    name: 'library',
    apps: ['Audiobookshelf', 'ShelfPlayer', 'Plappa', 'SoundLeaf', 'Music Assistant'],
    setting: 'AUDIOBOOKSHELF_API=true',
  },
  gpodder: {
    name: 'gpodder',
    apps: ['AntennaPod', 'Kasts', 'gPodder', 'Music Assistant'],
    setting: 'GPODDER_INTEGRATION_ENABLED=true',
  },
  nextcloud: { name: 'nextcloud', apps: ['AntennaPod', 'Kasts', 'Cardo'], setting: 'GPODDER_INTEGRATION_ENABLED=true' },
  feeds: { name: 'feeds', apps: [] },
  assistants: { name: 'assistants', apps: ['Claude Code', 'Cursor', 'LM Studio'] },
} as const satisfies Record<string, Way>
