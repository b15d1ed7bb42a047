import { targetNames, type Target } from './targets'

export type ReleaseOptions = { targets: readonly Target[]; isVerified: boolean; isUnsigned: boolean }

export const usage = `bun run release [--targets NAME,…] [--verify] [--unsigned]

  --targets  only these: ${targetNames.join(', ')}
  --verify   build again in another folder and compare, then install and start what was built
  --unsigned build without SIGNING_KEY: an Ed25519 private key in PEM format, which signs the checksums`

/** Parses the arguments of a release. Throws an error with a sentence. */
export function parseOptions(args: readonly string[]): ReleaseOptions {
  let targets: readonly Target[] = targetNames
  let isVerified = false
  let isUnsigned = false
  const rest = [...args]
  while (rest.length > 0) {
    const [option, value] = rest.shift()!.split(/=(.*)/s)
    if (option === '--verify') isVerified = true
    else if (option === '--unsigned') isUnsigned = true
    else if (option === '--targets') targets = parseTargets(value ?? rest.shift() ?? '')
    else throw new Error(`unknown argument ${option}\n\n${usage}`)
  }
  return { targets, isVerified, isUnsigned }
}

function parseTargets(list: string): Target[] {
  const unknown = list.split(',').filter(name => !targetNames.includes(name as Target))
  if (unknown.length > 0) throw new Error(`${unknown.join(', ') || '--targets'} is no target\n\n${usage}`)
  return targetNames.filter(name => list.split(',').includes(name))
}
