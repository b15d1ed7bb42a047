import { SourceMap } from 'node:module'

// Translates the stack traces of an executable, from its log on stdin to stdout:
// bun scripts/trace.ts castellan-linux-x64.maps.tar.gz < castellan.log

type Payload = ConstructorParameters<typeof SourceMap>[0]

/** Replaces places in the executable with those of the source. `maps`: their contents by the name of the file. */
export function translate(text: string, maps: ReadonlyMap<string, string>): string {
  const known = new Map<string, SourceMap>()
  return text.replaceAll(/[^\s()]*[\\/]([\w-]+\.js):(\d+):(\d+)/g, (place, name: string, line, column) => {
    const json = maps.get(`${name}.map`)
    if (json === undefined) return place
    const map = known.get(name) ?? new SourceMap(JSON.parse(json) as Payload)
    known.set(name, map)
    const found = map.findEntry(Number(line) - 1, Number(column) - 1)
    return 'originalSource' in found
      ? `${found.originalSource.replace(/^(\.\.\/)+/, '')}:${found.originalLine + 1}:${found.originalColumn + 1}`
      : place
  })
}

if (import.meta.main) {
  const [archive] = process.argv.slice(2)
  if (!archive) throw new Error('Usage: bun scripts/trace.ts MAPS < LOG')
  const files = await new Bun.Archive(await Bun.file(archive).bytes()).files()
  const maps = await Promise.all([...files].map(async ([name, file]) => [name, await file.text()] as const))
  process.stdout.write(translate(await Bun.stdin.text(), new Map(maps)))
}
