import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BucketView } from '../../support/bucket-view'
import { until } from '../../support/programs'
import type { StoredLibrary } from './library'
import type { Report } from '../../support/report'

type Needs = {
  check: Report['check']
  library: StoredLibrary
  view: BucketView
  data: string
  /** Whether the service looks at signatures. */
  isStrict: boolean
}

/** Whether the bucket holds these files, and nothing else. */
async function holds(view: BucketView, expected: readonly Buffer[]): Promise<boolean> {
  const objects = await view.objects()
  const bytes = await Promise.all(objects.map(({ key }) => view.bytes(key)))
  return (
    objects.length === expected.length &&
    expected.every(one => bytes.some(other => other !== null && one.equals(other))) &&
    (await view.uploads()).length === 0
  )
}

const mp3sBelow = (folder: string) =>
  readdirSync(join(folder, 'podcasts'), { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.mp3'))

/** Downloads, plays, sends elsewhere, renames, moves and deletes files. */
export async function tryFiles({ check, library, view, data, isStrict }: Needs) {
  await library.download()
  const all = (await library.episodes()).map(({ bytes }) => bytes)
  const keys = async () => (await view.objects()).map(({ key }) => key).join()
  check('downloads are in the bucket, byte for byte', await holds(view, all), await keys())
  const fetched = library.mediaRequests()
  check(
    'they play whole and in ranges, without their host',
    (await library.isHeard()) && library.mediaRequests() === fetched,
  )

  await library.restart({ S3_REDIRECT: 'true' })
  await tryRedirect(check, library, isStrict)
  await library.restart({})

  const before = await keys()
  await library.server.system.editNaming({ episodeFormat: 'Nº {title} ✓', directPaths: true })
  await library.server.system.rescan({ applyFilenames: true })
  await until('files are renamed', async () =>
    (await library.server.opml.jobs()).every(({ state }) => state !== 'running'),
  )
  check('they get other names', (await holds(view, all)) && (await keys()) !== before, await keys())
  check('and play under them', (await library.isHeard()) && library.mediaRequests() === fetched)

  const there = await library.command('media', 'move', '--to', 'folder')
  check('they move to the folder', there.code === 0 && mp3sBelow(data).length === 2, there.stdout + there.stderr)
  check('nothing of them stays in the bucket', await holds(view, []), await keys())
  check('they play from there', (await library.isHeard()) && library.mediaRequests() === fetched)
  const back = await library.command('media', 'move', '--to', 's3')
  check('they move back', back.code === 0 && mp3sBelow(data).length === 0, back.stdout + back.stderr)
  check('every byte is as it was', await holds(view, all), await keys())

  const { eid } = (await library.episodes())[0]!
  await library.server.episodes.removeDownload(eid)
  check('a file that is deleted is gone from the bucket', (await view.objects()).length === 1, await keys())
  await library.download()
  const doctor = await library.command('doctor')
  const complaints = doctor.stdout.split('\n').filter(line => /PROBLEM|belong to no episode|not recorded/.test(line))
  check('doctor finds rows and objects alike', complaints.length === 0, complaints.join('\n'))
}

/** Follows a player to the bucket. */
async function tryRedirect(check: Report['check'], { server, episodes }: StoredLibrary, isStrict: boolean) {
  for (const { eid, bytes } of await episodes()) {
    const headers = { Authorization: server.authorization }
    const sent = await fetch(`${server.origin}/media/${eid}`, { headers, redirect: 'manual' })
    const address = sent.headers.get('location') ?? ''
    const part = sent.status === 302 ? await fetch(address, { headers: { Range: 'bytes=100-199' } }) : null
    const isRight = part?.status === 206 && bytes.subarray(100, 200).equals(await part.bytes())
    check(
      `a player is sent to the bucket, which answers a range (${bytes.length} bytes)`,
      isRight,
      String(part?.status),
    )
    if (!isStrict) continue
    const bare = await fetch(address.split('?')[0]!)
    check('the same address without its signature is refused', bare.status === 403, String(bare.status))
  }
}
