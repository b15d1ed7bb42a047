import { expect, test } from 'bun:test'
import { safeNotes, sanitised } from '../../../src/server/feeds/parse/notes'
import { startRandom } from '../../support/random'

const base = 'https://pod.example/feed.xml'

test.each([
  '<p>Fog &amp; rope &#8211; &quot;night&quot;&nbsp;&#39;</p>\n<p>More</p>',
  '<h1>Fog</h1><ul><li>One<br></li><li><b>Two <i>of</i></b><br/></li></ul>',
  '<div class="a"><span style="x">Fog</span> <a title="A &amp; B" href="/a?b=1&amp;c=2" rel="me">there</a></div>',
  '<p><a href="javascript:run()">a</a><a href=" mailto:a@b.example ">b</a><a>c</a><a href="//x.example">d</a></p>',
  '<a href="https://a.example/&amp;quot;&amp;lt;">x</a>',
  '<p>one<p>two',
  '<p>one</b></p>',
  '<b>one<p>two</b></p>',
  '<a href="#1">one<a href="#2">two</a></a>',
  '<ul><li>one<li>two</ul>',
  '<p onclick="run()">Fog<script>run()</script></p>',
  '<p>a<!-- b -->c</p>',
])('simple notes look as the sanitiser would have made them: %p', notes => {
  expect(safeNotes(notes, base)).toBe(sanitised(notes, base))
})

test('so do notes of random elements', () => {
  const { below } = startRandom(28)
  const any = (list: readonly string[]) => list[below(list.length)]!
  const texts = 'fog|&amp;|&lt;b&gt;|&nbsp;|&#8217;|&#8|&amp|"| |>|<|\n\n|<br>|<br />|</br>|<img src="a">'.split('|')
  const tags = 'p|P|b|b |em class="a"|span|a href="/x?a&amp;b"|ul|li|h1|div a="b" a="c"|blockquote'.split('|')
  const within = (depth: number): string => {
    const piece = () =>
      depth === 0 || below(3) === 0 ? any(texts.slice(0, below(8) === 0 ? undefined : 5)) : element()
    const element = () => {
      const tag = any(tags)
      const end = below(20) === 0 ? any(['', '</b>', '</p>']) : `</${tag.split(' ')[0]}>`
      return `<${tag}>${within(depth - 1)}${end}`
    }
    return Array.from({ length: below(4) }, piece).join('')
  }
  for (let round = 0; round < 10_000; round++) {
    const notes = `<p>${within(3)}</p>`
    expect(safeNotes(notes, base)).toBe(sanitised(notes, base))
  }
})
