import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A home folder with a list of channels, and what two of them have downloaded. `hostile` is the name of a channel that
 * leads elsewhere. Returns the path of the list.
 */
export function writeCastget(home: string, origin: string, hostile: string) {
  const state = join(home, '.castget')
  const host = origin.replace('http://', '')
  mkdirSync(state, { recursive: true })
  const enclosures = (...addresses: string[]) => `<?xml version="1.0" encoding="UTF-8"?>
<channel version="1.0" rsslastfetched="Mon, 02 Mar 2026 10:00:00 GMT">
${addresses.map(address => `  <enclosure url="${address}" downloadtime="Mon, 02 Mar 2026 10:00:00 GMT"/>`).join('\n')}
</channel>
`
  const files = {
    'alpha.xml': enclosures(`${origin}/a1.mp3`, `${origin}/&#x61;2.mp3?from=rss&amp;id=2`, `${origin}/never.mp3`),
    'elsewhere.xml': enclosures(`${origin}/a3.mp3`),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(state, name), text)
  // Beside the folder, where the name of the hostile channel may lead.
  writeFileSync(join(home, 'outside.xml'), enclosures(`${origin}/b2.mp3`))
  const path = join(home, '.castgetrc')
  writeFileSync(
    path,
    `# What mara hears

[*]
spool=/home/mara/podcasts
url=${origin}/default.xml
[alpha]
  url = ${origin}/old.xml
filter=\\.mp3$
# url=${origin}/commented.xml
url=${origin}/alpha.xml
[Ünknown 🎧]\r
url=${origin}/gone.xml\r
[members]
url=http://mara:sea%3Aside@${host}/members.xml
[${hostile}]
url=${origin}/beta.xml
[local]
url=file:///home/mara/feed.xml
[empty]
spool=/home/mara/nothing
`,
  )
  return path
}
