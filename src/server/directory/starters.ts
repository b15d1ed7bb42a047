import { readOpml, type OpmlTasks } from '../opml/file'
import { fetchDocument, type Outbound } from '../outbound/request'
import { SECOND } from '../platform/clock'
import { Problem } from '../platform/problem'
import type { Thread } from '../thread'

export type StarterNeeds = { outbound: Outbound; thread: Thread<OpmlTasks> }

const MAX_BYTES = 1024 * 1024

/** Reads the podcasts that an admin offers to empty libraries. Throws `directory-unreachable`. */
export async function readStarters({ outbound, thread }: StarterNeeds, place: string) {
  try {
    const file = /^https?:/i.test(place)
      ? await fetchDocument(outbound, place, {
          reach: await outbound.reachOf(place, true),
          headers: { Accept: 'text/x-opml, text/xml, */*;q=0.5' },
          maxBytes: MAX_BYTES,
          idleMs: 10 * SECOND,
        })
      : await Bun.file(place).text()
    const outlines = await readOpml(thread, file)
    return outlines.map(({ title, feedUrl }) => ({
      feedUrl,
      title: title ?? feedUrl,
      author: '',
      image: null,
      explicit: false,
    }))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Problem('directory-unreachable', `STARTER_OPML can't be read: ${reason}`, { directory: 'STARTER_OPML' })
  }
}
