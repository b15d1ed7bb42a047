import { escapeAttribute } from 'entities'

export type OutlineOut = { title: string; xmlUrl: string; categories: readonly string[] }

/** OPML 2.0; tags are categories, so that folders come back where they are read. */
export function writeOpml(title: string, createdAt: number, outlines: readonly OutlineOut[]): string {
  const lines = outlines.map(({ title, xmlUrl, categories }) => {
    const name = escapeXml(title)
    // A comma parts categories, a slash parts folders: neither may stand in a name.
    const category = categories.map(withoutSeparators).join(',')
    return `    <outline type="rss" text="${name}" title="${name}" xmlUrl="${escapeXml(xmlUrl)}"${category ? ` category="${escapeXml(category)}"` : ''}/>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
  <head>
    <title>${escapeXml(title)}</title>
    <dateCreated>${new Date(createdAt).toUTCString()}</dateCreated>
  </head>
  <body>
${lines.join('\n')}
  </body>
</opml>
`
}

/** Characters that no XML may hold are left out. */
const escapeXml = (text: string) =>
  escapeAttribute(text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''))
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('&nbsp;', '&#160;')

const withoutSeparators = (tag: string) =>
  tag
    .split(/[,/]/)
    .map(part => part.trim())
    .join(' ')
