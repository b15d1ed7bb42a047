import { version } from '../../src/shared/origin'

// Prints the notes of a release, for the workflow: `bun scripts/release/notes.ts`.

/**
 * The section of a version in a changelog, without its heading. Throws unless it is the newest, has a date, and nothing
 * is left under Unreleased. https://keepachangelog.com/en/1.1.0/
 */
export function sectionOf(changelog: string, version: string): string {
  const sections = [...changelog.matchAll(/^## (.+)\n([\s\S]*?)(?=^## |^\[.+\]: |(?![\s\S]))/gm)]
  const [unreleased, newest] = sections.map(([, heading, text]) => ({ heading: heading!, text: text!.trim() }))
  if (unreleased?.heading !== '[Unreleased]') throw new Error('CHANGELOG.md does not begin with [Unreleased]')
  if (newest === undefined || !newest.heading.startsWith(`[${version}] - `))
    throw new Error(`The newest section of CHANGELOG.md is ${newest?.heading ?? 'missing'}, the version is ${version}`)
  if (!/ - \d{4}-\d\d-\d\d$/.test(newest.heading)) throw new Error(`${newest.heading} has no date such as 2026-11-28`)
  if (unreleased.text !== '') throw new Error(`Move what is under [Unreleased] to [${version}]`)
  return `${newest.text}\n`
}

if (import.meta.main) process.stdout.write(sectionOf(await Bun.file('CHANGELOG.md').text(), version))
