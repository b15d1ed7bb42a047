import { expect, test } from 'bun:test'
import { repository, version } from '../../../src/shared/origin'
import { sectionOf } from '../../../scripts/release/notes'

const changelog = `# Changelog

About it.

## [Unreleased]

## [1.1.0] - 2026-12-01

### Added

- This.

## [1.0.0] - 2026-11-28

### Added

- That.

[1.1.0]: https://a.example/1.1.0
`

test('the notes of a release are its section of the changelog, and nothing of older ones', () => {
  expect(sectionOf(changelog, '1.1.0')).toBe('### Added\n\n- This.\n')
  const first = '## [Unreleased]\n\n## [1.0.0] - 2026-11-28\n\n- That.\n\n[1.0.0]: https://a.example\n'
  expect(sectionOf(first, '1.0.0')).toBe('- That.\n')
})

test('a changelog that is not ready for the version that is released has no notes', () => {
  expect(() => sectionOf(changelog, '1.2.0')).toThrow('The newest section of CHANGELOG.md is [1.1.0]')
  expect(() => sectionOf('# Changelog\n\n## [Unreleased]\n', '1.2.0')).toThrow('missing')
  expect(() => sectionOf(changelog.replace('## [Unreleased]', ''), '1.1.0')).toThrow('does not begin with')
  expect(() => sectionOf(changelog.replace('2026-12-01', 'soon'), '1.1.0')).toThrow('has no date')
  const unsorted = changelog.replace('## [Unreleased]', '## [Unreleased]\n\n- More.')
  expect(() => sectionOf(unsorted, '1.1.0')).toThrow('Move what is under [Unreleased]')
})

test('the changelog has the kinds of changes that its form knows, and an address for each version', async () => {
  const text = await Bun.file('CHANGELOG.md').text()
  const kinds = [...text.matchAll(/^### (.+)$/gm)].map(([, kind]) => kind!)
  const known = new Set(['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'])
  expect(kinds.filter(kind => !known.has(kind))).toEqual([])
  const versions = [...text.matchAll(/^## \[(.+?)\]/gm)].map(([, name]) => name!)
  expect(versions.filter(name => !text.includes(`\n[${name}]: ${repository}/`))).toEqual([])
})

test('the workflow releases with these notes, and the changelog begins with this version', async () => {
  const text = await Bun.file('CHANGELOG.md').text()
  expect(text).toContain(`\n## [${version}] - `)
  const workflow = await Bun.file('.github/workflows/build.yml').text()
  expect(workflow).toContain('bun@1.4.5 scripts/release/notes.ts > dist/notes.md')
  expect(workflow).toContain('--notes-file dist/notes.md')
  // Nothing is published that the notes then refuse.
  expect(workflow.indexOf('scripts/release/notes.ts')).toBeLessThan(workflow.indexOf('skopeo copy'))
  expect(workflow).not.toContain('--notes-file CHANGELOG.md')
})
