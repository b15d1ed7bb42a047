import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startBrowser } from '../../../test/support/browser'
import { withHosts } from '../hosts'
import { readOptions } from '../options'
import { startSamples, tableOf } from '../samples'
import { smallBoard, wholeMachine } from '../table/budget'
import { measureFilled } from './filled'
import { measureImports } from './imports'
import { plantThrough } from './plant'
import { sides, type Side } from './server'

const usage = `bun run bench versions BEFORE [after=EXECUTABLE] [library=FOLDER] [podcasts=1000] [episodes=200] [feeds=300] [turns=5]
compares another built executable with this repository's. Filled libraries are kept in FOLDER for the next run.`

/** Measures two executables by turns, and prints one table of both: `bun run bench versions`. */
export async function compareVersions(build: () => string, args: readonly string[]) {
  const options = readOptions(args)
  const [before] = options.others
  if (before === undefined || !existsSync(before)) return console.log(usage)
  const executables = { before: resolve(before), after: resolve(options.named.get('after') ?? build()) }
  const size = { podcasts: options.count('podcasts', 1000), episodes: options.count('episodes', 200) }
  const [feeds, turns] = [options.count('feeds', 300), options.count('turns', 5)]
  const folder = mkdtempSync(join(tmpdir(), 'castellan-versions-'))
  const kept = resolve(options.named.get('library') ?? join(folder, 'libraries'))
  mkdirSync(kept, { recursive: true })
  const browser = await startBrowser().catch(() => null)
  if (!browser) console.error('No browser: the bytes of the home page are not measured.')
  try {
    const libraries = {} as Record<Side, string>
    for (const side of sides) {
      const digest = Bun.hash(await Bun.file(executables[side]).arrayBuffer()).toString(36)
      libraries[side] = join(kept, `${digest}-${size.podcasts}x${size.episodes}`)
      console.error(`${libraries[side]}: ${side}`)
      await plantThrough(executables[side], libraries[side], size)
    }
    const columns: Parameters<typeof tableOf>[0][number][] = []
    for (const limited of [false, true]) {
      const budgets = sides.map(side => (limited ? smallBoard(side) : { ...wholeMachine, dispose: () => {} }))
      const versions = sides.map((side, place) => ({
        side,
        executable: executables[side],
        library: libraries[side],
        budget: budgets[place]!,
      }))
      const samples = startSamples<Side>('before', 'after')
      console.error(budgets[0]!.name)
      await measureFilled(versions, turns, samples, limited ? null : browser)
      await withHosts(origins => measureImports(versions, { feeds, turns, folder, origins, samples }))
      columns.push({ titles: [`${budgets[0]!.name}: before`, 'after', 'after : before'], samples })
      for (const { dispose } of budgets) dispose()
    }
    console.log(tableOf(columns))
  } finally {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
