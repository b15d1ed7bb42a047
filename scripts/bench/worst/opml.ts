import { filled, MB, type WorstInput } from './input'

const SIZE = 9.9 * MB
const opml = (inside: string) => Buffer.from(`<opml version="2.0"><body>${inside}</body></opml>`)
const outline = '<outline type="rss" text="A" xmlUrl="https://pod.example/a"/>'

/** Lists of feeds that take the most memory or time, as far as anybody knows. */
export const opmls: WorstInput[] = [
  { name: 'OPML: two million attributes', body: () => opml(`<outline${filled(SIZE, ' a="b"')}/>`) },
  { name: 'OPML: two million elements', body: () => opml(filled(SIZE, '<o/>')) },
  {
    name: 'OPML: a text of 10 MB',
    body: () => opml(`<outline text="${filled(SIZE, '&lt;')}" xmlUrl="https://pod.example/a"/>`),
  },
  {
    name: 'OPML: outlines in outlines',
    body: () => opml(filled(SIZE / 2, '<outline text="a">') + filled(SIZE / 3, '</outline>')),
  },
  { name: 'OPML: 50,000 feeds', body: () => opml(filled(50_000 * outline.length, outline)) },
]
