import { isPublished, releasePage, version } from '../../shared/origin'

/** Origin of an executable: a commit (empty if unknown), its date (empty if unknown), and the system it is for. */
type Build = { commit: string; date: string; target: string }

/** Replaced by the build; source code that runs unbuilt has none. */
declare const CASTELLAN_BUILD: Build

export { version }
export const build: Build | null = typeof CASTELLAN_BUILD === 'undefined' ? null : CASTELLAN_BUILD

/** User agent for podcast hosts: our own name, never a browser's. */
export const userAgent = `Castellan/${version} (self-hosted podcast manager)`

/**
 * Answers `castellan --version`: `castellan 1.0.0 (commit 1a2b3c4d, built 2026-11-23, linux-x64)`, then the address of
 * the release, if it has one.
 */
export function describeVersion(of: Build | null = build, address = isPublished ? releasePage : null): string {
  if (!of) return `castellan ${version} (not built)`
  const facts = [`commit ${of.commit || 'unknown'}`, of.date && `built ${of.date}`, of.target]
  return [`castellan ${version} (${facts.filter(Boolean).join(', ')})`, address].filter(Boolean).join('\n')
}
