import { escapeAttribute } from 'entities/escape'

type OutlineOut = { title: string; xmlUrl: string; categories: readonly string[] }

/** Writes OPML 2.0; tags are categories, so that an import restores them. */
export function writeOpml(title: string, createdAt: number, outlines: readonly OutlineOut[]): string {
  const lines = outlines.map(({ title, xmlUrl, categories }) => {
    const name = escapeXml(title)
    // A comma separates categories and a slash separates folders: a name may contain neither.
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

/** Escapes text for an attribute, without the characters that XML does not allow. */
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
