import { safeNotes } from '../../../src/server/feeds/parse/notes'
import { textOf } from '../../../src/server/feeds/parse/notes-text'
import { mutated } from '../mutate'
import { require, type Target } from '../target'

const base = 'https://pod.example/e/1'
const tags = new Set(
  'p br a ul ol li dl dt dd strong b em i u s small sub sup code pre blockquote h3 h4 h5 h6 hr img figure figcaption table thead tbody tr th td div'.split(
    ' ',
  ),
)
const attributes = new Set(
  ['a href', 'a title', 'a rel', 'a target'].concat(
    ['src', 'alt', 'title', 'width', 'height', 'loading', 'referrerpolicy'].map(name => `img ${name}`),
  ),
)

/** Read by another parser than the one that made it safe, which takes markup as browsers do. */
export function requireSafe(html: string) {
  const used = new Set<string>()
  new HTMLRewriter()
    .on('*', {
      element(element) {
        used.add(element.tagName)
        for (const [name, value] of element.attributes) {
          used.add(`${element.tagName} ${name}`)
          if (name === 'href' || name === 'src')
            used.add(/^(https?:\/\/|mailto:)/i.test(value) ? 'address' : `address ${value}`)
        }
      },
    })
    .transform(html)
  const harmless = (one: string) => tags.has(one) || attributes.has(one) || one === 'address'
  const bad = [...used].filter(one => !harmless(one))
  require(bad.length === 0, `notes hold what they must not: ${bad.map(one => one.split(' ')[0])}`, bad)
}

const said = (html: string) => textOf(html).replace(/\s+/g, '')

export const notes = (seeds: readonly string[]): Target<string> => ({
  name: 'notes',
  slowMs: 1000,
  inputs: mutated(seeds),
  check(input) {
    const once = safeNotes(input, base)
    requireSafe(once)
    const twice = safeNotes(once, base)
    requireSafe(twice)
    // After an element in between was left out, paragraphs and anchors may nest until they are read again.
    require(said(twice) === said(once), 'notes that were made safe say something else when they are made safe again', {
      once,
      twice,
    })
  },
})
