import { version } from '../../src/shared/origin'

// Prints the notes of a release, for the workflow: `bun scripts/release/notes.ts`.

/** The newest section of a changelog, without its heading. Throws if that is not the section of this version. */
export function newestSection(changelog: string, version: string): string {
  const [, heading, text] = /^## (.+)\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(changelog) ?? []
  if (heading?.split(' ')[0] !== version)
    throw new Error(`The newest section of CHANGELOG.md is ${heading ?? 'missing'}, the version is ${version}`)
  return `${text!.trim()}\n`
}

if (import.meta.main) process.stdout.write(newestSection(await Bun.file('CHANGELOG.md').text(), version))
