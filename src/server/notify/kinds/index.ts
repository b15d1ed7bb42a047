import { apprise, gotify, ntfy } from './servers'
import { discord, slack } from './chat'
import type { Kind } from './kind'
import { push } from './push'
import { webhook } from './webhook'

/** The kinds of destinations, in the order in which they are offered. */
export const kinds: Readonly<Record<string, Kind>> = { push, ntfy, gotify, discord, slack, apprise, webhook }

/** Finds a kind by name; null = unknown, which rows of a newer version may be. */
export const findKind = (name: string): Kind | null => (Object.hasOwn(kinds, name) ? kinds[name]! : null)
