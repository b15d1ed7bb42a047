import { mkdirSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { buildUi } from './build-ui'
import { checkBudgets } from './bundle-report'
import { compile, sha256 } from './compile'
import { identify } from './identity'
import { buildSite } from './site/build-site'

// The executable for this machine; `bun run release` makes those of the others.

const outfile = join(import.meta.dir, '../dist/castellan')

mkdirSync(join(import.meta.dir, '../dist'), { recursive: true })
await buildUi()
await buildSite(join(import.meta.dir, '../dist/help'), { isOffline: true })
checkBudgets()
const system = { win32: 'windows' }[platform() as string] ?? platform()
await compile({ outfile, target: `${system}-${arch()}`, identity: identify() })
await Bun.write(`${outfile}.sha256`, `${await sha256(outfile)}  castellan\n`)
