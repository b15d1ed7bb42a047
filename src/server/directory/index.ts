import type { Config } from '../config'
import { createDirectories } from './directories'
import { createPopular } from './popular'

type Needs = Omit<Parameters<typeof createDirectories>[0], 'keys'> & { config: Pick<Config, 'podindex'> }

/** Creates everything that asks directories of podcasts. */
export function createDirectory({ config: { podindex }, ...needs }: Needs) {
  const directories = createDirectories({ ...needs, keys: podindex })
  return { directories, popular: createPopular({ ...needs, directories, hasPodindex: podindex !== null }) }
}
