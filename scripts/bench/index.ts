import { join } from 'node:path'

// Speed and memory of the built executable. Every claim is a ratio of two things measured in one run: machines differ,
// and so do their moods. `bun run bench [start|sign-in|refresh|stream|parse|feeds|large|apps|import|first|sync|interface]`
// measures a part; `bench parse against=FOLDER`, `bench table`, `bench versions`, `bench peers`, `bench moving`,
// `bench smart` and `bench storage` are reports of their own.

/** Builds this repository's executable. */
function build(): string {
  const root = join(import.meta.dir, '../..')
  const { success } = Bun.spawnSync(['bun', 'scripts/build.ts'], { cwd: root, stderr: 'inherit' })
  if (!success) throw new Error('the executable could not be built')
  return join(root, 'dist/castellan')
}

const [what = '', ...args] = process.argv.slice(2)
if (what === 'table') await (await import('./table')).printTable(build(), args)
else if (what === 'smart') await (await import('./smart')).measureSmartPlaylists(args[0])
else if (what === 'storage') await (await import('./storage')).measureStorage(build(), args)
else if (what === 'moving') await (await import('./moving')).measureMoving(build(), args)
else if (what === 'versions') await (await import('./versions')).compareVersions(build, args)
else if (what === 'peers') await (await import('./peers')).comparePeers(build, args)
else if (what === 'parse' && args.length > 0) await (await import('./reading')).compareReading(args)
else await (await import('./product')).measureProduct(build(), process.argv.slice(2))
