import { author, config, homepage, repository as git, version } from '../../package.json'

/** Source, downloads and reports of faults; no slash at the end. */
export const repository = git.url.replace(/^git\+/, '').replace(/\.git$/, '')

/** False until somebody who publishes Castellan has set their addresses with `bun run origin`. */
export const isPublished = !/\bexample\.org\b/.test(repository)

/** Address of this version's release. */
export const releasePage = `${repository}/releases/tag/v${version}`

/** Address where each release leaves a document that names its version. */
export const newestRelease = `${repository}/releases/latest/download/latest.json`

export const image = config.image
export const site = homepage
export const maintainer = `${author.name} <${author.email}>`
export { version }
