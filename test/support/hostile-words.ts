/** A word that no line can break unless it is told to. */
export const longWord = 'Donaudampfschifffahrt'.repeat(7).slice(0, 128)

export const arabic = 'حكايات المنارة القديمة ومن كان يعدّ السفن في الليل'
export const hebrew = 'סיפורים מן המגדלור: מי ספר את הספינות בלילה'
/** Arabic, English and numbers in one line: where each piece lands depends on its direction. */
export const mixed = 'حلقة 42: Fog signals (الجزء 3/7)'
export const emoji = '👩‍👩‍👧‍👦 🏳️‍🌈 🇺🇳 🧜🏽‍♀️ 🌊🌊🌊 the family that lived in a lamp 👨🏿‍🚒'
export const longName = 'A name that somebody thought was a good idea at the time, and that goes on for rather longer '
  .repeat(3)
  .trim()

/** Notes with everything that is wider than a phone. */
export const hostileNotes = `<h1>${longWord}</h1>
<p>It begins at 00:05 and ends at 4:59:59. Read <a href="https://example.com/${longWord}">https://example.com/${longWord}</a>,
${longWord}, and <code>${longWord}</code>.</p>
<pre><code>const everythingInOneLine = ${'someFunctionOf(everythingInOneLine) + '.repeat(12)}0;</code></pre>
<table><tr>${'<th>Column of some width</th>'.repeat(12)}</tr><tr>${`<td>${longWord.slice(0, 40)}</td>`.repeat(12)}</tr></table>
<ul><li>One<ul><li>Two<ul><li>Three<ul><li>${longWord}</li></ul></li></ul></li></ul></li></ul>
<blockquote>${longName}<blockquote>${longWord}</blockquote></blockquote>
<p>${arabic}</p><p>${hebrew}</p><p>${mixed}</p><p>${emoji}</p>
<h2>Letters</h2><p>${'Long lines of ordinary words, as most notes have them. '.repeat(20)}</p>`

/** Titles of episodes, the newest first; each is hostile to a layout in another way. */
export const hostileTitles = [
  `${longWord} and all that came after`,
  arabic,
  hebrew,
  mixed,
  emoji,
  longName,
  'x',
  '  <b>Not bold</b> &amp; not an entity  ',
  'WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW',
  'Ẳ̷̢̛̩̇̈ l̷o̸t̶ ö̷f̸ ḿ̶a̸r̵k̶s̴',
]
