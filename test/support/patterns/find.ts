import { type Node, parse } from 'acorn'
import { Glob } from 'bun'
import { join } from 'node:path'

export type Pattern = { file: string; source: string; flags: string }

type Code = Node & Record<string, any>
/** Names of a file with what they stand for, as far as it is text. */
type Names = ReadonlyMap<string, Code | string>

/** Stands for what is put into a pattern at run time, which is a word or escaped. */
const WORD = 'word'

const transpilers = { ts: new Bun.Transpiler({ loader: 'ts' }), tsx: new Bun.Transpiler({ loader: 'tsx' }) }

/** Lists every pattern of these files: literals, and arguments of `new RegExp` that are known before it runs. */
export async function findPatterns(root: string, files: string): Promise<Pattern[]> {
  const found: Pattern[] = []
  for await (const file of new Glob(files).scan(root)) {
    if (file.endsWith('.d.ts')) continue
    const code = transpilers[file.endsWith('x') ? 'tsx' : 'ts'].transformSync(await Bun.file(join(root, file)).text())
    const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true }) as Code
    for (const pattern of patternsOf(program)) found.push({ file, ...pattern })
  }
  return found
}

function* patternsOf(program: Code): Generator<Omit<Pattern, 'file'>> {
  const names = new Map<string, Code>()
  for (const node of nodesOf(program))
    if (node.type === 'VariableDeclarator' && node['id'].type === 'Identifier' && node['init'])
      // The first of a name: what functions call so comes after the constants of the file.
      names.getOrInsert(node['id'].name as string, node['init'] as Code)
  for (const node of nodesOf(program)) {
    if (node.type === 'Literal' && node['regex'])
      yield { source: node['regex'].pattern as string, flags: node['regex'].flags as string }
    if (isRegExp(node)) yield patternOf(node, names)
    // A function that makes patterns, by what it is called with.
    const maker = node.type === 'CallExpression' ? names.get(node['callee'].name as string) : undefined
    if (maker?.type === 'ArrowFunctionExpression' && isRegExp(maker['body'] as Code)) {
      const given = (maker['params'] as Code[]).map(
        ({ name }, index) => [name as string, textOf(node['arguments'][index] as Code, names)] as const,
      )
      yield patternOf(maker['body'] as Code, new Map<string, Code | string>([...names, ...given]))
    }
  }
}

const isRegExp = ({ type, callee }: Code) =>
  (type === 'NewExpression' || type === 'CallExpression') && callee.name === 'RegExp'

const patternOf = (call: Code, names: Names) => {
  const [source, flags] = call['arguments'] as Code[]
  return { source: textOf(source, names), flags: flags ? textOf(flags, names) : '' }
}

/** A text as far as it can be told from the code. */
function textOf(node: Code | undefined, names: Names): string {
  if (node?.type === 'Literal') return String(node['value'])
  if (node?.type === 'Identifier') {
    const known = names.get(node['name'] as string)
    return typeof known === 'string' ? known : known && known !== node ? textOf(known, names) : WORD
  }
  if (node?.type === 'BinaryExpression' && node['operator'] === '+')
    return textOf(node['left'] as Code, names) + textOf(node['right'] as Code, names)
  const isRaw = node?.type === 'TaggedTemplateExpression'
  const template = (isRaw ? node['quasi'] : node) as Code | undefined
  if (template?.type !== 'TemplateLiteral') return WORD
  return (template['quasis'] as Code[])
    .map(({ value }, index) => {
      const put = template['expressions'][index] as Code | undefined
      return `${isRaw ? value.raw : value.cooked}${put ? textOf(put, names) : ''}`
    })
    .join('')
}

function* nodesOf(node: Code): Generator<Code> {
  yield node
  for (const value of Object.values(node))
    for (const child of [value].flat())
      if (typeof child === 'object' && child !== null && 'type' in child) yield* nodesOf(child as Code)
}
