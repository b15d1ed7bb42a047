import { dirname, join } from 'node:path'
import { parse } from 'acorn'

/** A node of the syntax tree, by the names of ESTree. */
type Node = { type: string; start: number; end: number; [field: string]: unknown }

/** A function of a module: what it reads and refers to while it runs, in the order of the source. */
type Unit = {
  reads: { text: string; at: number }[]
  references: { name: string; at: number }[]
  /** Whether `useSignals()` is its first statement, or called elsewhere. */
  subscribes: 'first' | 'later' | null
}

/** Functions by name, and the modules that imported names come from. */
type Module = { units: Map<string, Unit>; imports: Map<string, { path: string; name: string }> }

/** Calls whose functions run later, or follow the signals that they read themselves. */
const deferred = new Set([
  'addEventListener',
  'computed',
  'effect',
  'setInterval',
  'setTimeout',
  'useAction',
  'useCallback',
  'useDerived',
  'useEffect',
  'useLayoutEffect',
  'useResource',
])

const isHook = (name: string) => /^use[A-Z]/.test(name)
const isDrawn = (name: string) => /^[A-Z]/.test(name) || isHook(name)

/**
 * Finds the components and hooks that read a signal (`.value`) while they are drawn without `useSignals()` before it:
 * they would not be drawn again when it changes. Reads count in closures that may run at once, such as those of `map`
 * and `useMemo`, and in functions of any module that are called; not in handlers, effects and async functions. A hook
 * that calls `useSignals()` subscribes whoever uses it. `sources` by path; `isOther` says which reads are of no signal.
 */
export function findUnsubscribed(
  sources: ReadonlyMap<string, string>,
  isOther: (path: string, name: string, text: string) => boolean = () => false,
): string[] {
  const modules = new Map([...sources].map(([path, source]) => [path, readModule(path, source, sources)]))

  /** The function that a name of a module means; null for one that is local, of a package or no function. */
  function resolve(path: string, name: string): { path: string; name: string; unit: Unit } | null {
    const module = modules.get(path)
    const unit = module?.units.get(name)
    if (unit) return { path, name, unit }
    const from = module?.imports.get(name)
    return from ? resolve(from.path, from.name) : null
  }
  /** Whether a function does something itself, or by a function that it refers to. */
  function reaches(
    start: { path: string; name: string; unit: Unit } | null,
    does: (path: string, name: string, unit: Unit) => boolean,
    follows: (name: string) => boolean,
    seen = new Set<Unit>(),
  ): boolean {
    if (!start || seen.has(start.unit)) return false
    seen.add(start.unit)
    const { path, name, unit } = start
    return (
      does(path, name, unit) ||
      unit.references.some(one => follows(one.name) && reaches(resolve(path, one.name), does, follows, seen))
    )
  }
  const subscribes = (path: string, name: string) =>
    isHook(name) && reaches(resolve(path, name), (_path, _name, unit) => unit.subscribes !== null, isHook)
  const readsOf = (path: string, name: string, { reads }: Unit) =>
    reads.filter(({ text }) => !isOther(path, name, text))
  const reads = (path: string, name: string) =>
    reaches(
      resolve(path, name),
      (at, of, unit) => readsOf(at, of, unit).length > 0,
      one => !isDrawn(one),
    )

  const found: string[] = []
  for (const [path, { units }] of modules)
    for (const [name, unit] of units) {
      if (!isDrawn(name)) continue
      if (unit.subscribes === 'later') found.push(`${path}: ${name} calls useSignals() late`)
      if (unit.subscribes !== null) continue
      const subscribedAt = unit.references.find(one => subscribes(path, one.name))?.at ?? Infinity
      const called = unit.references.filter(one => !isDrawn(one.name) && reads(path, one.name))
      const early = [...readsOf(path, name, unit), ...called.map(one => ({ text: one.name, at: one.at }))]
      const texts = early.filter(({ at }) => at < subscribedAt).map(({ text }) => text)
      if (texts.length > 0) found.push(`${path}: ${name} reads ${[...new Set(texts)].join(', ')}`)
    }
  return found
}

function readModule(path: string, source: string, sources: ReadonlyMap<string, string>): Module {
  const loader = path.endsWith('.tsx') ? 'tsx' : 'ts'
  const code = new Bun.Transpiler({ loader, target: 'browser', deadCodeElimination: false }).transformSync(source)
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' }) as unknown as Node
  const module: Module = { units: new Map(), imports: new Map() }
  const visit = (node: Node, isTop: boolean) => {
    for (const [name, made] of namedFunctions(node))
      if (isTop || isDrawn(name)) module.units.set(name, readUnit(made, code))
    for (const child of childrenOf(node)) visit(child, isTop && !isFunction(child))
  }
  visit(program, true)
  for (const node of program.body as Node[]) {
    if (node.type !== 'ImportDeclaration') continue
    const from = resolvePath(path, (node.source as { value: string }).value, sources)
    for (const { imported, local } of node.specifiers as { imported?: { name: string }; local: { name: string } }[])
      if (from && imported) module.imports.set(local.name, { path: from, name: imported.name })
  }
  return module
}

function resolvePath(path: string, name: string, sources: ReadonlyMap<string, string>): string | undefined {
  const base = join(dirname(path), name)
  return [`${base}.ts`, `${base}.tsx`, `${base}/index.ts`, `${base}/index.tsx`].find(one => sources.has(one))
}

/** Reads what a function does while it runs. Inner functions count where they are referred to, unless they run later. */
function readUnit(made: Node, code: string): Unit {
  const unit: Unit = { reads: [], references: [], subscribes: subscriptionOf(made) }
  const locals = new Map<string, Node>()
  const collect = (node: Node) => {
    for (const [name, inner] of namedFunctions(node)) locals.set(name, inner)
    childrenOf(node).forEach(collect)
  }
  collect(made.body as Node)
  const seen = new Set<Node>()

  function walk(node: Node) {
    if (isFunction(node) && node.async) return
    if (namedFunctions(node).length > 0) return
    if (node.type === 'AssignmentExpression' && (node.left as Node).type === 'MemberExpression') {
      walk((node.left as Node).object as Node)
      return walk(node.right as Node)
    }
    if (node.type === 'Property') {
      if (!/^on[A-Z]/.test(keyOf(node))) walk(node.value as Node)
      return
    }
    if (node.type === 'CallExpression' && deferred.has(nameOfCall(node))) {
      unit.references.push({ name: nameOfCall(node), at: node.start })
      return (node.arguments as Node[]).filter(one => !isFunction(one) && one.type !== 'Identifier').forEach(walk)
    }
    if (isRead(node, code)) unit.reads.push({ text: code.slice(node.start, node.end), at: node.start })
    if (node.type === 'MemberExpression' && !node.computed) return walk(node.object as Node)
    if (node.type === 'Identifier') return refer(node)
    childrenOf(node).forEach(walk)
  }
  function refer(node: Node) {
    const name = node.name as string
    const local = locals.get(name)
    if (!local) unit.references.push({ name, at: node.start })
    if (!local || isDrawn(name) || seen.has(local) || local.async) return
    seen.add(local)
    walk(local.body as Node)
  }

  walk(made.body as Node)
  return unit
}

function subscriptionOf(made: Node): Unit['subscribes'] {
  const isCall = (node: Node | undefined) =>
    node?.type === 'CallExpression' && (node.callee as Node).name === 'useSignals'
  const { type, body } = made.body as Node
  const statements = type === 'BlockStatement' ? (body as Node[]) : []
  if (isCall(statements[0]?.expression as Node | undefined)) return 'first'
  return statements.some(({ expression }) => isCall(expression as Node | undefined)) ? 'later' : null
}

/** Whether a node reads the value of something that may be a signal; fields of a form and references are none. */
function isRead(node: Node, code: string): boolean {
  if (node.type === 'VariableDeclarator') {
    const { type, properties = [] } = node.id as Node & { properties?: Node[] }
    return type === 'ObjectPattern' && properties.length === 1 && keyOf(properties[0]!) === 'value'
  }
  return (
    node.type === 'MemberExpression' &&
    !node.computed &&
    (node.property as Node).name === 'value' &&
    !/(target|current)\??\.value$/i.test(code.slice(node.start, node.end))
  )
}

/** The functions that a declaration names, also within `memo` and `forwardRef`. */
function namedFunctions(node: Node): [string, Node][] {
  if (node.type === 'FunctionDeclaration') return [[(node.id as Node).name as string, node]]
  if (node.type !== 'VariableDeclarator' || !node.init || (node.id as Node).type !== 'Identifier') return []
  let made = node.init as Node
  while (made.type === 'CallExpression' && /^(memo|forwardRef)$/.test(nameOfCall(made))) {
    const [inner] = made.arguments as Node[]
    if (!inner) return []
    made = inner
  }
  return isFunction(made) ? [[(node.id as Node).name as string, made]] : []
}

const isFunction = ({ type }: Node) =>
  type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'

function nameOfCall({ callee }: Node): string {
  const { type, name, property } = callee as Node
  return String(type === 'MemberExpression' ? (property as Node).name : name)
}

const keyOf = ({ key }: Node) => String((key as Node | undefined)?.name ?? (key as Node | undefined)?.value ?? '')

const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flat()
    .filter((one): one is Node => typeof (one as Node | null)?.type === 'string')
