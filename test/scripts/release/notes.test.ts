import { expect, test } from 'bun:test'
import { version } from '../../../package.json'
import { newestSection } from '../../../scripts/release/notes'

const changelog = '# Changelog\n\nAbout it.\n\n## 1.1.0 (2026-12-01)\n\n### New\n\n- This.\n\n## 1.0.0\n\n- That.\n'

test('the notes of a release are the newest section of the changelog, and nothing of older ones', () => {
  expect(newestSection(changelog, '1.1.0')).toBe('### New\n\n- This.\n')
  expect(newestSection('## 1.0.0\n\n- That.', '1.0.0')).toBe('- That.\n')
})

test('a changelog that does not begin with the version that is released has no notes', () => {
  expect(() => newestSection(changelog, '1.2.0')).toThrow('The newest section of CHANGELOG.md is 1.1.0')
  expect(() => newestSection('# Changelog\n', '1.2.0')).toThrow('missing')
})

test('the workflow releases with these notes, and the changelog begins with this version', async () => {
  expect(newestSection(await Bun.file('CHANGELOG.md').text(), version)).toContain('###')
  const workflow = await Bun.file('.github/workflows/build.yml').text()
  expect(workflow).toContain('bun@1.4.5 scripts/release/notes.ts > dist/notes.md')
  expect(workflow).toContain('--notes-file dist/notes.md')
  expect(workflow).not.toContain('--notes-file CHANGELOG.md')
})
