import { expect, test } from 'bun:test'
import { Glob } from 'bun'
import { join } from 'node:path'
import { findUnsubscribed } from '../support/signal-reads'

const root = join(import.meta.dir, '../..')

/** Reads that need no subscription, by the function that they are in. */
const others = [
  // Fields of plain objects.
  'SegmentedChoice: choice.value',
  'AboutDialog: extras.value',
  'useApiKey: key.value',
  'ApiKeyField: apiKey.key?.value',
  // Items of a menu, which are made when it opens.
]

test('a component or hook that reads a signal while it is drawn calls useSignals() first', async () => {
  const sources = new Map<string, string>()
  for (const path of [...new Glob('src/ui/**/*.{ts,tsx}').scanSync(root)].sort())
    sources.set(path, await Bun.file(join(root, path)).text())
  const unused = new Set(others)
  const isOther = (path: string, name: string, text: string) => {
    unused.delete(`${name}: ${text}`)
    // The language: `useTranslation` follows it, and every component that shows a text calls that.
    return path === 'src/ui/i18n.ts' || others.includes(`${name}: ${text}`)
  }
  expect(findUnsubscribed(sources, isOther)).toEqual([])
  expect([...unused]).toEqual([])
})

/** Checks a component with this body, next to a module that reads a signal. */
const found = (body: string) =>
  findUnsubscribed(
    new Map([
      ['a/page.tsx', `import { nameOf, useName } from './names'\nexport function Page({ a }) {\n${body}\n}`],
      [
        'a/names.ts',
        `import { signal } from 'x'
         const name = signal('')
         const read = () => name.value
         export const nameOf = () => read()
         export function useName() { useSignals(); return name.value }`,
      ],
    ]),
  ).map(text => text.replace('a/page.tsx: Page ', ''))

test.each([
  'return <p>{a.value}</p>',
  'return a?.value ?? null',
  'const { value } = a; return value',
  'return [1].map(one => <p key={one}>{a.value}</p>)',
  'const [b] = useState(() => a.value); return b',
  'return useMemo(() => [1].filter(() => a.b.value), [])',
  'const text = () => a.value; return <p>{text()}</p>',
  'function text() { return a.value }; return [1].map(text)',
  'return <List render={() => a.value} />',
  'const b = a.value; useSignals(); return b',
  'const b = a.value; return useName() + b',
  'if (a) { return a.value }; useSignals()',
  'return <p>{nameOf()}</p>',
  'return [1].map(nameOf)',
])('without useSignals() before it this reads a signal: %s', body => expect(found(body)).toHaveLength(1))

test.each([
  'useSignals(); return <p>{a.value}</p>',
  'const name = useName(); return name + a.value',
  'return <p onClick={() => show(a.value)} />',
  'const show = () => print(a.value); return <p onClick={show} />',
  'async function save() { await send(a.value) }; return <Form action={save} />',
  'useEffect(() => print(a.value), [a]); return null',
  'return useDerived(() => a.value + 1, [a])',
  'return <p>{a.peek()}</p>',
  'const clear = () => { a.value = null }; return <Form action={clear} />',
  'return <input onChange={event => print(event.currentTarget.value)} />',
])('this reads no signal while it is drawn, or after useSignals(): %s', body => expect(found(body)).toEqual([]))

test('components in memo and forwardRef, and those of other names, are told apart', () => {
  const source = `const Row = memo(function Row({ a }) { return a.value })
    const Field = forwardRef(({ a }, ref) => a.value)
    const rowOf = ({ a }) => a.value`
  expect(findUnsubscribed(new Map([['row.tsx', source]]))).toEqual([
    'row.tsx: Row reads a.value',
    'row.tsx: Field reads a.value',
  ])
})
