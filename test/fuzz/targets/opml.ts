import { parseOpml } from '../../../src/server/opml/parse'
import { writeOpml } from '../../../src/server/opml/file'
import { Problem } from '../../../src/server/platform/problem'
import { mutated } from '../mutate'
import * as seeds from '../seeds'
import { require, type Target } from '../target'

export const opml: Target<string> = {
  name: 'opml',
  inputs: mutated(seeds.opml),
  check(xml) {
    const outlines = read(xml)
    if (!outlines) return
    const written = writeOpml(
      'Castellan',
      0,
      outlines.map(({ feedUrl, title, folders }) => ({
        xmlUrl: feedUrl,
        title: title ?? feedUrl,
        categories: folders,
      })),
    )
    const again = read(written)
    const addresses = outlines.map(({ feedUrl }) => feedUrl)
    require(again !== null, 'a list that was read, and written, cannot be read', written)
    require(JSON.stringify(again.map(({ feedUrl }) => feedUrl)) ===
      JSON.stringify(addresses), 'a list that was read, written and read has other feeds', { addresses, again })
  },
}

function read(xml: string) {
  try {
    return parseOpml(xml)
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}
