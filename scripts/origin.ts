import { join } from 'node:path'
import { Glob } from 'bun'
import * as current from '../src/shared/origin'

const usage = `bun run origin NAME=VALUE …

Writes where Castellan comes from into package.json and every file that names it.

  repository   https://github.com/you/castellan
  image        ghcr.io/you/castellan
  site         https://castellan.example.com
  mail         you@example.com, for packages
  version      1.2.3, or 1.2.3-rc.1`

const root = join(import.meta.dir, '..')
const patterns = ['package.json', '*.md', 'docs/**/*.md', 'packaging/**/*', 'Dockerfile']

export type Origin = { repository: string; image: string; site: string; mail: string; version: string }

const shapes: Record<keyof Origin, RegExp> = {
  repository: /^https:\/\/[\w.-]+(\/[\w.-]+)+$/,
  image: /^[a-z0-9.-]+(:\d+)?(\/[a-z0-9._-]+)+$/,
  site: /^https:\/\/[\w.-]+(\/[\w.-]+)*$/,
  mail: /^[^\s@<>]+@[\w.-]+$/,
  version: /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/,
}

export const origin: Origin = {
  repository: current.repository,
  image: current.image,
  site: current.site,
  mail: /<(.+)>/.exec(current.maintainer)![1]!,
  version: current.version,
}

/** Files that may name the origin, by their path from the root. */
export const originFiles = () => patterns.flatMap(pattern => [...new Glob(pattern).scanSync({ cwd: root, dot: true })])

/** Replaces one origin by another. A version is replaced only where it is Castellan's: others look alike. */
export function replaceOrigin(text: string, from: Origin, to: Origin): string {
  let replaced = text
  for (const name of ['repository', 'image', 'site', 'mail'] as const)
    replaced = replaced.replaceAll(from[name], () => to[name])
  return replaced.replace(ownVersion(to.image), (_, before: string) => before + to.version)
}

const versionKeys = ['^  "version": "', '^(?:appVersion|version): "?', 'Started version="']

/** Places of Castellan's version: file names, tags of the image, keys of package formats. */
export const ownVersion = (image: string) =>
  new RegExp(
    `(${['castellan[_-]', 'releases/download/v', `${RegExp.escape(image)}:`, ...versionKeys].join('|')})` +
      String.raw`\d+\.\d+\.\d+(?:-(?!oci)[0-9A-Za-z.]+)?`,
    'gm',
  )

/** Parses `name=value` arguments. Throws an error with a sentence. */
export function parseOrigin(args: readonly string[]): Partial<Origin> {
  if (args.length === 0) throw new Error(usage)
  return Object.fromEntries(
    args.map(argument => {
      const [name, value = ''] = argument.split(/=(.*)/s) as [keyof Origin, string?]
      if (!(name in shapes)) throw new Error(`unknown argument ${argument}\n\n${usage}`)
      if (!shapes[name].test(value)) throw new Error(`${name} can't be "${value}"\n\n${usage}`)
      return [name, value]
    }),
  )
}

async function write(to: Origin) {
  for (const path of originFiles()) {
    const text = await Bun.file(join(root, path)).text()
    const replaced = replaceOrigin(text, origin, to)
    if (replaced === text) continue
    await Bun.write(join(root, path), replaced)
    console.log(path)
  }
}

if (import.meta.main)
  try {
    await write({ ...origin, ...parseOrigin(process.argv.slice(2)) })
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
