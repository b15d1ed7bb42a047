import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { escapeAttribute, escapeText } from 'entities/escape'
import { repository, version } from '../../src/shared/origin'
import { describeApiPage } from './api-page'

// A site made of the documents: `bun run site` writes it into dist/site, and each build a smaller one into dist/help,
// which the executable serves at /help. Bun renders the Markdown, so the build needs no generator and stays fast.

const root = join(import.meta.dir, '../..')

/** The documents in the order of the navigation; the rest of `docs` is for developers and stays in the repository. */
const sections: readonly (readonly [title: string, names: readonly string[]])[] = [
  ['Begin', ['first-evening', 'install', 'reverse-proxy', 'accounts', 'questions']],
  ['Every day', ['library', 'feeds', 'player', 'transcripts', 'notifications']],
  ['Apps', ['apps', 'sync', 'assistants', 'moving']],
  ['Running it', ['configuration', 'operating', 'security']],
]

type Heading = { id: string; level: number; text: string }
export type SitePage = { name: string; title: string; html: string; headings: readonly Heading[]; text: string }
type SearchEntry = { page: string; id: string; title: string; heading: string; text: string }

const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()

type Options = {
  /** Within an installed server: without the start page, screenshots and the API, which it has itself. */
  isOffline: boolean
}

/** Renders one document. Links to other documents of the site lead there, those to other files into the repository. */
async function render(name: string, source: string, markdown: string, { isOffline }: Options): Promise<SitePage> {
  const known = new Set(sections.flatMap(([, names]) => names))
  const rewritten = Bun.markdown
    .html(markdown, { tables: true, headings: { ids: true } })
    .replace(/ (href|src)="(?!#|[a-z]+:)([^"#]*)(#[^"]*)?"/g, (_, attribute: string, path: string, anchor = '') => {
      const file = posix.normalize(posix.join(dirname(source), path))
      const page = /^docs\/([a-z-]+)\.md$/.exec(file)?.[1]
      if (page && known.has(page)) return ` ${attribute}="${page}.html${anchor}"`
      if (file === 'README.md' && !isOffline) return ` ${attribute}="index.html${anchor}"`
      if (file.startsWith('docs/screenshots/')) return ` ${attribute}="screenshots/${posix.basename(file)}"`
      return ` ${attribute}="${escapeAttribute(`${repository}/blob/main/${file}`)}${anchor}"`
    })
    .replace(/<table>/g, '<div class="table"><table>')
    .replace(/<\/table>/g, '</table></div>')
  const html = isOffline ? rewritten.replace(/<img[^>]*>/g, '') : rewritten
  const headings = [...html.matchAll(/<h([1-3]) id="([^"]*)">([\s\S]*?)<\/h\1>/g)].map(([, level, id, text]) => ({
    id: id!,
    level: Number(level),
    text: plain(text!),
  }))
  return { name, title: headings.find(({ level }) => level === 1)?.text ?? name, html, headings, text: plain(html) }
}

async function readPages(options: Options): Promise<SitePage[]> {
  const read = (path: string) => Bun.file(join(root, path)).text()
  const names = sections.flatMap(([, names]) => names)
  const pages = await Promise.all(
    names.map(async name => {
      const markdown = await read(`docs/${name}.md`)
      // Strangers may read an installed server's help, and learn no version from its examples.
      const shown = options.isOffline ? markdown.replaceAll(version, 'VERSION') : markdown
      return render(name, `docs/${name}.md`, shown, options)
    }),
  )
  if (options.isOffline) return pages
  const readme = await read('README.md')
  const at = readme.indexOf('## How it compares')
  const end = readme.indexOf('## Limits')
  const comparison = readme.slice(at, end).replace('## How it compares', '# How it compares')
  return [
    await render('index', 'README.md', readme.slice(0, at) + readme.slice(end), options),
    ...pages,
    await render('comparison', 'README.md', comparison, options),
  ]
}

const linkTo = (page: SitePage, current: SitePage) =>
  `<a href="${page.name}.html"${page === current ? ' aria-current="page"' : ''}>${escapeText(page.title)}</a>`

function frame(page: SitePage, pages: readonly SitePage[], { isOffline }: Options): string {
  const byName = new Map(pages.map(one => [one.name, one]))
  const groups = sections.map(
    ([title, names]) =>
      `<h2>${title}</h2><ul>${names.map(name => `<li>${linkTo(byName.get(name)!, page)}</li>`).join('')}</ul>`,
  )
  const more = isOffline
    ? '<li><a href="../">Back to Castellan</a></li><li><a href="../api-docs">API</a></li>'
    : `<li>${linkTo(byName.get('comparison')!, page)}</li><li><a href="api.html">API</a></li>
<li><a href="${escapeAttribute(repository)}">Source</a></li>`
  const parts = page.headings.filter(({ level }) => level === 2)
  const contents = `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${parts
    .map(({ id, text }) => `<li><a href="#${id}">${escapeText(text)}</a></li>`)
    .join('')}</ul></nav>`
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(page.title)}${page.title === 'Castellan' ? '' : ' · Castellan'}</title>
<link rel="stylesheet" href="site.css"><script src="search.js" defer></script></head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><a class="brand" href="${pages[0]!.name}.html">Castellan</a>
<form role="search"><input type="search" aria-label="Search the documents" placeholder="Search" autocomplete="off"><ul id="found" hidden></ul></form></header>
<div class="page"><details class="pages" open><summary>Pages</summary><nav aria-label="Pages">${groups.join('')}
<h2>More</h2><ul>${more}</ul></nav></details>
<main id="main">${page.html}</main>${parts.length > 2 ? contents : ''}</div>
</body></html>
`
}

/** Lists every part of every page, for the search in the browser. */
function indexOf(pages: readonly SitePage[]): SearchEntry[] {
  return pages.flatMap(({ name, title, html }) =>
    html.split(/(?=<h[1-3] id=")/).flatMap(part => {
      const [, , id, heading] = /^<h([1-3]) id="([^"]*)">([\s\S]*?)<\/h\1>/.exec(part) ?? []
      if (id === undefined) return []
      return [
        { page: `${name}.html`, id, title, heading: plain(heading!), text: plain(part.slice(part.indexOf('</h'))) },
      ]
    }),
  )
}

/** Writes the site into an empty folder. */
export async function buildSite(folder: string, options: Options): Promise<readonly SitePage[]> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const pages = await readPages(options)
  const files = new Map<string, string>(pages.map(page => [`${page.name}.html`, frame(page, pages, options)]))
  files.set('search.json', JSON.stringify(indexOf(pages)))
  for (const name of ['site.css', 'search.js']) files.set(name, await Bun.file(join(import.meta.dir, name)).text())
  if (!options.isOffline) {
    files.set('api.html', await describeApiPage())
    for (const name of readdirSync(join(root, 'docs/screenshots')))
      cpSync(join(root, 'docs/screenshots', name), join(folder, 'screenshots', name))
  }
  for (const [name, text] of files) {
    // The server sends what the executable holds as it is: every browser reads gzip.
    const bytes = options.isOffline ? Bun.gzipSync(Buffer.from(text), { level: 9 }) : text
    await Bun.write(join(folder, options.isOffline ? `${name}.gz` : name), bytes)
  }
  return pages
}

if (import.meta.main) {
  const pages = await buildSite(join(root, 'dist/site'), { isOffline: false })
  console.log(`dist/site: ${pages.length + 1} pages`)
}
