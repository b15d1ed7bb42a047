import { escapeAttribute, escapeText } from 'entities/escape'
import type { Description, Operation } from './describe'

const style = `
:root { color-scheme: light dark; --line: light-dark(#dcdfe4, #3a4048); --soft: light-dark(#f4f5f7, #22262c); --muted: light-dark(#5b6470, #a3abb6) }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 60rem; padding: 24px 16px 64px; font: 16px/1.5 system-ui, sans-serif }
h1 { margin: 0 0 8px } h2 { margin: 40px 0 8px; font-size: 1.2rem }
p { max-width: 42rem } .muted, summary span { color: var(--muted) }
details { border: 1px solid var(--line); border-radius: 6px; margin: 6px 0 }
summary { padding: 8px 12px; cursor: pointer; overflow-wrap: anywhere }
summary code { font-weight: 600; margin-inline-end: 8px }
details > div { padding: 0 12px 12px; border-top: 1px solid var(--line) }
h3 { margin: 16px 0 4px; font-size: 1rem } ul { margin: 0; padding-inline-start: 20px }
pre { margin: 0; padding: 12px; overflow: auto; max-height: 24rem; background: var(--soft); border-radius: 6px; font-size: 13px }
a { color: light-dark(#0b57a4, #8ab8ea) }
`
const hash = new Bun.CryptoHasher('sha256').update(style).digest('base64')
export const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** Writes the description as an HTML page without scripts, one fold per call. */
export function writePage({ info, paths }: Description): string {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const groups = Map.groupBy(calls, ({ operation }) => operation.tags[0]!)
  const sections = [...groups].map(
    ([name, calls]) =>
      `<h2>${escapeText(name)}</h2>${calls.map(({ method, path, operation }) => block(method, path, operation)).join('')}`,
  )
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>API of ${info.title}</title><style>${style}</style></head>
<body>
<h1>API of ${info.title}</h1>
<p>${escapeText(info.description)} Sign in with user name and password (Basic), or with the API key from your profile (Bearer).
<a href="api-docs/openapi.json">OpenAPI document</a>.</p>
<main>${sections.join('\n')}</main>
</body>
</html>
`
}

function block(
  method: string,
  path: string,
  { summary, parameters = [], requestBody, responses, security }: Operation,
) {
  const answers = Object.entries(responses).filter(([status]) => status !== 'default' && status !== '405')
  const parts = [
    security && '<p class="muted">No sign-in needed.</p>',
    parameters.length > 0 &&
      `<h3>Parameters</h3><ul>${parameters
        .map(({ name, in: where, required, schema }) => {
          const facts = [where, typeOf(schema), required && where === 'query' && 'required'].filter(Boolean).join(', ')
          return `<li><code>${escapeText(name)}</code> <span class="muted">${escapeText(facts)}</span></li>`
        })
        .join('')}</ul>`,
    requestBody && `<h3>Body</h3>${schemaOf(requestBody.content)}`,
    ...answers.map(([status, { content }]) => `<h3>Response ${status}</h3>${content ? schemaOf(content) : ''}`),
  ]
  return `<details id="${escapeAttribute(`${method} ${path}`)}"><summary><code>${method} ${escapeText(path)}</code><span>${escapeText(summary)}</span></summary><div>${parts.filter(Boolean).join('')}</div></details>\n`
}

const schemaOf = (content: Record<string, { schema: object }>) =>
  Object.values(content)
    .map(({ schema }) => `<pre tabindex="0">${escapeText(sketch(schema as Sketched, ''))}</pre>`)
    .join('')

type Sketched = {
  type?: string | string[]
  properties?: Record<string, Sketched>
  required?: string[]
  items?: Sketched
  anyOf?: Sketched[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  minimum?: number
  maximum?: number
  patternProperties?: Record<string, Sketched>
}

/** Writes a schema as names with their types. */
function sketch(schema: Sketched, indent: string): string {
  if (schema.properties) {
    const required = new Set(schema.required)
    const lines = Object.entries(schema.properties).map(
      ([name, of]) => `${indent}  ${name}${required.has(name) ? '' : '?'}: ${sketch(of, `${indent}  `)}`,
    )
    return `{\n${lines.join('\n')}\n${indent}}`
  }
  if (schema.items) return `[${sketch(schema.items, indent)}]`
  if (schema.anyOf) return schema.anyOf.map(one => sketch(one, indent)).join(' | ')
  return typeOf(schema)
}

function typeOf(schema: Sketched): string {
  const { type, minimum, maximum } = schema
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
  const bounds = minimum === undefined && maximum === undefined ? '' : ` ${minimum ?? ''}–${maximum ?? ''}`
  const preset = schema.default === undefined ? '' : ` (${JSON.stringify(schema.default)})`
  return `${[type].flat().join(' | ') || 'any'}${bounds}${preset}`
}
