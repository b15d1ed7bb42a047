import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { RESTORING_FILE } from '../../data-folder'
import { listStrays } from '../../moving/strays'
import type { Store } from '../../store'
import { counted, warning, type Finding } from './finding'

/** Names what a process that was killed left in the data folder; the next start of the server removes it as well. */
export function examineLeftovers(store: Store, dataFolder: string): Finding[] {
  const folder = join(dataFolder, 'moving')
  const paths = [
    ...listStrays({ folder, store }).map(name => join(folder, name)),
    ...[join(dataFolder, RESTORING_FILE)].filter(path => existsSync(path)),
  ]
  if (paths.length === 0) return []
  const [first] = paths
  return [
    warning(
      `${counted(paths.length, 'copy', 'copies')} of an interrupted import or restore: ${first}${paths.length > 1 ? ', …' : ''}`,
      () => {
        for (const path of paths) rmSync(path, { recursive: true, force: true })
        return 'deleted'
      },
    ),
  ]
}
