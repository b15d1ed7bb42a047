type Dependencies = Record<string, string>
type Manifest = {
  dependencies?: Dependencies
  optionalDependencies?: Dependencies
  peerDependencies?: Dependencies
  optionalPeers?: string[]
}
type Lockfile = {
  workspaces: { '': Manifest & { devDependencies?: Dependencies } }
  packages: Record<string, [id: string, registry: string, manifest: Manifest, integrity: string]>
}

export type LockedPackage = {
  name: string
  version: string
  /** Digest as the registry names it: `sha512-…` in Base64. */
  integrity: string
  /** Packages that it uses, as `name@version`. */
  uses: string[]
  /** Named by package.json itself. */
  isDirect: boolean
  /** Folder of the installed package, from the root. */
  folder: string
  /** Part of what is built; others are for building and testing. */
  isShipped: boolean
}

/** Reads the packages of a bun.lock, each version once, sorted. */
export function parseLockfile(text: string): LockedPackage[] {
  const { workspaces, packages } = Bun.JSONC.parse(text) as Lockfile
  const idOf = (key: string) => packages[key]![0]
  const usedBy = (key: string) =>
    dependenciesOf(packages[key]![2]).flatMap(name => resolveFrom(key, name, packages) ?? [])

  const { dependencies = {}, devDependencies = {} } = workspaces['']
  const shipped = new Set(Object.keys(dependencies))
  for (const key of shipped) for (const used of usedBy(key)) shipped.add(used)

  const found = new Map<string, LockedPackage>()
  for (const [key, [id, , , integrity]] of Object.entries(packages)) {
    const at = id.lastIndexOf('@')
    const known = found.get(id)
    found.set(id, {
      name: id.slice(0, at),
      version: id.slice(at + 1),
      integrity,
      uses: [...new Set([...(known?.uses ?? []), ...usedBy(key).map(idOf)])].sort(),
      isDirect: known?.isDirect || key in dependencies || key in devDependencies,
      folder: known?.isShipped ? known.folder : folderOf(key),
      isShipped: known?.isShipped || shipped.has(key),
    })
  }
  return [...found.keys()].sort().map(id => found.get(id)!)
}

/** Leaves out optional peers: they are used only if somebody else asks for them. */
function dependenciesOf({ dependencies, optionalDependencies, peerDependencies, optionalPeers = [] }: Manifest) {
  const peers = Object.keys(peerDependencies ?? {}).filter(name => !optionalPeers.includes(name))
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]
}

/** Packages on the way to one; a scope and its package are one folder. */
const foldersOf = (key: string) => key.match(/@[^/]+\/[^/]+|[^/]+/g) ?? []

const folderOf = (key: string) =>
  foldersOf(key)
    .map(name => `node_modules/${name}`)
    .join('/')

/** Finds the package that a name means to another: the nearest, as in nested folders; null for one not installed. */
function resolveFrom(key: string, name: string, packages: Lockfile['packages']): string | null {
  const folders = foldersOf(key)
  for (let depth = folders.length; depth >= 0; depth--) {
    const candidate = [...folders.slice(0, depth), name].join('/')
    if (candidate in packages) return candidate
  }
  return null
}
