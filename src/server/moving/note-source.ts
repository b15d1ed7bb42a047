import { basename } from 'node:path'
import type { NewMovePodcast } from '../store/moves'
import { addressKey } from '../sync/addresses'
import type { PodcastItem } from './item'
import type { Copying } from './copy-for'
import type { MovingNeeds } from './needs'
import type { Opening } from './open-source'
import { readSource, type ReadSource } from './read-source'
import { MoveRefused } from './refused'

const MAX_PODCASTS = 5000

/** The name of a file as the report shows it. */
export const nameOf = (path: string) => basename(path).slice(0, 255)

/** The program that made a file, and what of it is noted before anything is done. */
export type Recognised = { source: string; ownName: string | null; podcasts: NewMovePodcast[] }

/**
 * Recognises a copied file, or one that is copied first, and reads its people and podcasts. Throws as `readSource`.
 */
export async function recognise(
  { startReader, secret, now }: Pick<MovingNeeds, 'startReader' | 'secret' | 'now'>,
  { path, from, copying = null }: Pick<Opening, 'path' | 'from'> & { copying?: Copying | null },
  signal: AbortSignal,
): Promise<Recognised> {
  const open = await readSource(startReader, { path, from, now: now(), isChecked: false }, signal, copying)
  try {
    const { users, podcasts } = await readBeginning(open)
    const rows = podcasts.map((item): NewMovePodcast => ({
      feed_url: item.feed,
      title: item.title,
      own_title: item.ownTitle ?? null,
      guid: item.guid ?? null,
      active: Number(item.active),
      sealed: item.credentials ? secret.seal(JSON.stringify(item.credentials)) : null,
    }))
    return { source: open.source, ownName: users.length === 1 ? users[0]! : null, podcasts: rows }
  } finally {
    await open.close()
  }
}

/** Reads the people and podcasts, with which every source begins. */
async function readBeginning({ items }: ReadSource) {
  const users: string[] = []
  const podcasts = new Map<string, PodcastItem>()
  for await (const item of items()) {
    if (item.is === 'user') users.push(item.name)
    else if (item.is === 'podcast') podcasts.getOrInsertComputed(addressKey(item.feed), () => item)
    else break
    if (podcasts.size > MAX_PODCASTS || users.length > MAX_PODCASTS)
      throw new MoveRefused(`The file has more than ${MAX_PODCASTS} podcasts or people`)
  }
  return { users, podcasts: [...podcasts.values()] }
}
