/** One line of a file, broken: `line` counts from 1, `after` is '' where the line was dropped. */
export type Mutant = { file: string; line: number; rule: string; before: string; after: string; source: string }

type Rule = { name: string; breakLine: (line: string) => string | null }

const swapped: readonly (readonly [name: string, from: RegExp, to: string])[] = [
  ['>= becomes >', / >= /, ' > '],
  ['> becomes >=', / > /, ' >= '],
  ['<= becomes <', / <= /, ' < '],
  ['< becomes <=', / < /, ' <= '],
  ['&& becomes ||', / && /, ' || '],
  ['|| becomes &&', / \|\| /, ' && '],
  ['=== becomes !==', / === /, ' !== '],
  ['!== becomes ===', / !== /, ' === '],
  ['+ becomes -', / \+ (?=[\w(])/, ' - '],
]

const rules: readonly Rule[] = [
  { name: 'condition negated', breakLine: negate },
  {
    name: 'guard dropped',
    breakLine: line => (/^\s*if \(.*\) (return|throw|continue|break)\b/.test(line) ? '' : null),
  },
  { name: 'call dropped', breakLine: line => (/^\s*(await |void )?[\w.]+\(.*\)$/.test(line) ? '' : null) },
  ...swapped.map(([name, from, to]) => ({
    name,
    breakLine: (line: string) => (from.test(line) ? line.replace(from, to) : null),
  })),
]

/** `if (a)` becomes `if (!(a))`, where the whole condition stands on the line. */
function negate(line: string): string | null {
  const start = /^\s*(?:\} else )?if \(/.exec(line)?.[0].length
  if (start === undefined) return null
  let depth = 1
  for (let at = start; at < line.length; at++) {
    if (line[at] === '(') depth++
    if (line[at] === ')') depth--
    if (depth === 0) return `${line.slice(0, start)}!(${line.slice(start, at)})${line.slice(at)}`
  }
  return null
}

/**
 * Every way to break one line of a file so that it can still be read and does something else. What is only written to
 * the log stays as it is.
 */
export function mutantsOf(file: string, source: string): Mutant[] {
  const transpiler = new Bun.Transpiler({ loader: file.endsWith('.tsx') ? 'tsx' : 'ts' })
  const compiled = transpiler.transformSync(source)
  const lines = source.split('\n')
  return lines.flatMap((before, index) => {
    if (/^\s*(\/\/|\/?\*|import |export type |type )/.test(before) || before.includes('log.')) return []
    return rules.flatMap(({ name, breakLine }) => {
      const after = breakLine(before)
      if (after === null) return []
      const broken = lines.with(index, after).join('\n')
      if (!isAnother(transpiler, broken, compiled)) return []
      return [{ file, line: index + 1, rule: name, before: before.trim(), after: after.trim(), source: broken }]
    })
  })
}

function isAnother(transpiler: Bun.Transpiler, source: string, compiled: string): boolean {
  try {
    return transpiler.transformSync(source) !== compiled
  } catch {
    return false
  }
}
