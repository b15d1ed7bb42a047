import { startReport, type Report } from '../support/report'

// Programs of others against the built executable, where they are installed. Each group is a folder or file here.

const groups: Record<string, { describes: string; load: () => Promise<{ run(report: Report): Promise<void> }> }> = {
  sync: { describes: "the gPodder project's library and application", load: () => import('./sync') },
  audiobookshelf: {
    describes: "apps of Audiobookshelf: Music Assistant's library, Home Assistant's polls, a client in Go",
    load: () => import('./audiobookshelf'),
  },
  storage: { describes: 'versitygw and moto: media in a bucket', load: () => import('./storage') },
  oidc: { describes: 'Dex: an OpenID provider', load: () => import('./oidc') },
  proxy: { describes: 'nginx: the setup and the interface below a path, in a browser', load: () => import('./proxy') },
  packages: { describes: 'dpkg, skopeo, umoci, qemu: what `bun run release` left', load: () => import('./packages') },
  replica: { describes: 'Litestream and versitygw: a machine that is lost', load: () => import('./replica') },
}

const wanted = process.argv.slice(2)
const unknown = wanted.find(name => !(name in groups))
if (unknown) {
  const lines = Object.entries(groups).map(([name, { describes }]) => `  ${name.padEnd(16)}${describes}`)
  console.error(`${unknown} is none of these:\n${lines.join('\n')}`)
  process.exit(1)
}

const report = startReport()
for (const name of wanted.length > 0 ? wanted : Object.keys(groups)) {
  console.log(`\n${name}: ${groups[name]!.describes}`)
  await (await groups[name]!.load()).run(report)
}
console.log(`\n${report.summary()}`)
process.exit(report.counts.failed > 0 ? 1 : 0)
