import type { Actor } from './actor'

const LENGTH = 200_000

/** Somebody who hears a piece of an episode, from the disk or from its host; every byte is looked at. */
export const listen: Actor = {
  everyMs: 40,
  async step({ server, hosts, random, episodes, complain }) {
    const { eid, enclosure } = random.pick(episodes)
    const bytes = hosts.bytesOf(enclosure)
    const from = random.below(bytes.byteLength)
    const to = Math.min(from + LENGTH, bytes.byteLength) - 1
    const response = await server.media(eid, from, to)
    if (response.status !== 206) {
      await response.body?.cancel()
      return complain(`a listener got ${response.status} for bytes ${from}-${to} of ${enclosure}`)
    }
    const heard = await response.bytes()
    if (!Buffer.from(heard).equals(bytes.subarray(from, to + 1)))
      complain(`a listener got other bytes than ${from}-${to} of ${enclosure}`)
  },
}
