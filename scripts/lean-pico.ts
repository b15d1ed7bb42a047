import type { BunPlugin } from 'bun'

// Why: docs/internals/decisions/0013

/**
 * The parts of Pico that the interface does not use, as they appear in selectors. The page names its theme itself, so
 * Pico's own way to follow the system goes as well; and the shadows of joined fields, for which a browser styles the
 * whole page again whenever a field appears.
 */
const unused =
  /\[data-tooltip|details\.dropdown|details\[role|summary\[role|\[role=search\]|hgroup|\.contrast|\[type=(?:color|date|datetime-local|month|time|week|reset|image)|\.grid|\.container|\.overflow-auto|striped|figure|figcaption|blockquote|\[rel=prev\]|\.close|\b(?:ins|del|abbr|samp|address|iframe|video|audio|canvas)\b|nav (?:\w|>|\[)|nav\[aria-label=breadcrumb\]|\[multiple\]|\bul\.menu|modal-is-open|modal-is-opening|modal-is-closing|\[role=group\]:has/

/** Removes from Pico what nothing uses: some 4 KB of the 20 (Brotli) that the styles may have. */
export const leanPico: BunPlugin = {
  name: 'lean-pico',
  setup(build) {
    build.onLoad({ filter: /pico\/css\/pico\.css$/ }, async ({ path }) => ({
      contents: leaveOutUnused(await Bun.file(path).text()),
      loader: 'css',
    }))
  },
}

export function leaveOutUnused(css: string): string {
  const plain = css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/@charset[^;]*;/, '')
  return blocksOf(plain)
    .map(({ head, body }) => {
      if (/prefers-color-scheme/.test(head)) return ''
      if (head.startsWith('@media') || head.startsWith('@supports')) {
        const inner = leaveOutUnused(body)
        return inner ? `${head}{${inner}}` : ''
      }
      if (head.startsWith('@')) return `${head}{${body}}`
      const kept = selectorsOf(head).filter(selector => !unused.test(selector))
      return kept.length > 0 ? `${kept.join(',')}{${body}}` : ''
    })
    .join('')
}

/** Splits styles into blocks of the outermost level. */
function blocksOf(css: string): { head: string; body: string }[] {
  const blocks = []
  for (let from = 0; ;) {
    const open = css.indexOf('{', from)
    if (open === -1) return blocks
    let close = open + 1
    for (let depth = 1; depth > 0; close += 1) depth += css[close] === '{' ? 1 : css[close] === '}' ? -1 : 0
    blocks.push({ head: css.slice(from, open).trim(), body: css.slice(open + 1, close - 1) })
    from = close
  }
}

/** Splits a list of selectors at the commas outside of parentheses. */
function selectorsOf(head: string): string[] {
  const selectors = ['']
  let depth = 0
  for (const letter of head) {
    if (letter === '(') depth += 1
    if (letter === ')') depth -= 1
    if (letter === ',' && depth === 0) selectors.push('')
    else selectors[selectors.length - 1] += letter
  }
  return selectors.map(selector => selector.trim())
}
