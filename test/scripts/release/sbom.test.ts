import Ajv from 'ajv'
import { expect, test } from 'bun:test'
import packageJson from '../../../package.json'
import { parseLockfile } from '../../../scripts/release/lockfile'
import { writeSbom } from '../../../scripts/release/sbom'

const lockfile = await Bun.file('bun.lock').text()
const sbom = JSON.parse(writeSbom(lockfile, 1000))

/** CycloneDX 1.6, as far as we use it: https://cyclonedx.org/schema/bom-1.6.schema.json */
const component = {
  type: 'object',
  required: ['type', 'name'],
  additionalProperties: false,
  properties: {
    type: { enum: ['application', 'library', 'platform'] },
    'bom-ref': { type: 'string', minLength: 1 },
    name: { type: 'string' },
    version: { type: 'string' },
    scope: { enum: ['required', 'optional', 'excluded'] },
    purl: { type: 'string', pattern: '^pkg:' },
    licenses: { type: 'array' },
    externalReferences: {
      type: 'array',
      items: {
        type: 'object',
        required: ['url', 'type'],
        additionalProperties: false,
        properties: { url: { type: 'string' }, type: { enum: ['vcs', 'website'] } },
      },
    },
    hashes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['alg', 'content'],
        additionalProperties: false,
        properties: {
          alg: { enum: ['SHA-256', 'SHA-512'] },
          content: { type: 'string', pattern: '^([a-f0-9]{64}|[a-f0-9]{128})$' },
        },
      },
    },
  },
}
const schema = {
  type: 'object',
  required: ['bomFormat', 'specVersion'],
  additionalProperties: false,
  properties: {
    bomFormat: { const: 'CycloneDX' },
    specVersion: { const: '1.6' },
    serialNumber: {
      type: 'string',
      pattern: '^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
    },
    version: { type: 'integer', minimum: 1 },
    metadata: {
      type: 'object',
      additionalProperties: false,
      properties: { timestamp: { type: 'string' }, component },
    },
    components: { type: 'array', uniqueItems: true, items: component },
    dependencies: {
      type: 'array',
      uniqueItems: true,
      items: {
        type: 'object',
        required: ['ref'],
        additionalProperties: false,
        properties: {
          ref: { type: 'string' },
          dependsOn: { type: 'array', uniqueItems: true, items: { type: 'string' } },
        },
      },
    },
  },
}

test('the list of parts has the shape of CycloneDX 1.6', () => {
  const validate = new Ajv().compile(schema)
  expect([validate(sbom), validate.errors]).toEqual([true, null])
})

test('every package of bun.lock is in it, with the digest that the registry gave', () => {
  const { packages } = Bun.JSONC.parse(lockfile) as { packages: Record<string, [string, string, object, string]> }
  const listed = new Map<string, string>(
    sbom.components.map((one: { name: string; version: string; hashes?: { content: string }[] }) => [
      `${one.name}@${one.version}`,
      one.hashes?.[0]!.content,
    ]),
  )
  const missing = Object.values(packages).filter(
    ([id, , , integrity]) => listed.get(id) !== Buffer.from(integrity.slice(7), 'base64').toString('hex'),
  )
  expect(Object.keys(packages).length).toBeGreaterThan(100)
  expect(missing).toEqual([])
})

test('what is shipped is told from what only builds and tests', () => {
  const scopes = new Map(sbom.components.map((one: { name: string; scope: string }) => [one.name, one.scope]))
  for (const name of Object.keys(packageJson.dependencies)) expect([name, scopes.get(name)]).toEqual([name, 'required'])
  for (const name of ['oxlint', 'playwright-core', '@types/react'])
    expect([name, scopes.get(name)]).toEqual([name, 'excluded'])
  // Named by nobody but a package that is shipped.
  expect(scopes.get('htmlparser2')).toBe('required')
})

test('every part that another uses is listed, and the product uses what package.json names', () => {
  const known = new Set(['castellan', ...sbom.components.map((one: { 'bom-ref': string }) => one['bom-ref'])])
  const edges: { ref: string; dependsOn: string[] }[] = sbom.dependencies
  expect(edges.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter(ref => !known.has(ref))).toEqual([])
  const own = edges.find(({ ref }) => ref === 'castellan')!.dependsOn
  const { dependencies, devDependencies } = packageJson
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
    expect(own).toContain(`pkg:npm/${name.replace('@', '%40')}@${version}`)
})

test('a nested package comes before one of the same name further out', () => {
  const packages = parseLockfile(`{
    "workspaces": { "": { "dependencies": { "a": "1.0.0" } } },
    "packages": {
      "a": ["a@1.0.0", "", { "dependencies": { "@s/b": "1" }, "peerDependencies": { "c": "1" }, "optionalPeers": ["c"] }, "sha512-AA=="],
      "a/@s/b": ["@s/b@1.0.0", "", { "dependencies": { "d": "1" } }, "sha512-AA=="],
      "a/@s/b/d": ["d@1.0.0", "", {}, "sha512-AA=="],
      "@s/b": ["@s/b@2.0.0", "", {}, "sha512-AA=="],
      "c": ["c@1.0.0", "", {}, "sha512-AA=="],
      "d": ["d@2.0.0", "", {}, "sha512-AA=="],
    },
  }`)
  expect(packages.map(({ name, version, uses, isShipped }) => [`${name}@${version}`, uses, isShipped])).toEqual([
    ['@s/b@1.0.0', ['d@1.0.0'], true],
    ['@s/b@2.0.0', [], false],
    ['a@1.0.0', ['@s/b@1.0.0'], true],
    ['c@1.0.0', [], false],
    ['d@1.0.0', [], true],
    ['d@2.0.0', [], false],
  ])
})

test('the same list twice is the same', () => {
  expect(writeSbom(lockfile, 1000)).toBe(writeSbom(lockfile, 1000))
})
