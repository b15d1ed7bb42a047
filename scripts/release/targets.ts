import type { Architecture } from './architectures'

/** Systems that a release has an executable for. */
export const targets = {
  'linux-x64': { runtime: 'bun-linux-x64', architecture: 'amd64', needs: 'glibc 2.17 or newer' },
  'linux-arm64': { runtime: 'bun-linux-aarch64', architecture: 'arm64', needs: 'glibc 2.17 or newer' },
  'linux-x64-musl': { runtime: 'bun-linux-x64-musl', needs: 'musl 1.2.5, as Alpine 3.20 has; apk add libstdc++' },
  'linux-arm64-musl': { runtime: 'bun-linux-aarch64-musl', needs: 'musl 1.2.5, as Alpine 3.20 has; apk add libstdc++' },
  'darwin-x64': { runtime: 'bun-darwin-x64', needs: 'macOS on Intel' },
  'darwin-arm64': { runtime: 'bun-darwin-aarch64', needs: 'macOS on Apple silicon' },
  'windows-x64': { runtime: 'bun-windows-x64', needs: 'Windows 10 or newer; not tested' },
} satisfies Record<string, { runtime: string; needs: string; architecture?: Architecture }>

export type Target = keyof typeof targets
export const targetNames = Object.keys(targets) as Target[]

/** File name of a target's executable in the release. */
export const executableOf = (target: Target) => `castellan-${target}${target.startsWith('windows') ? '.exe' : ''}`

/** File name of the source maps of a target's executable. */
export const mapsOf = (target: Target) => `castellan-${target}.maps.tar.gz`
