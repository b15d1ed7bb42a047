import type { BucketView } from '../../support/bucket-view'
import { until } from '../../support/programs'
import type { Service } from '../../support/versitygw'
import type { StoredLibrary } from './library'
import type { Report } from '../../support/report'

type Needs = { check: Report['check']; library: StoredLibrary; view: BucketView; service: Service }

/** Takes the service away and brings it back. */
export async function tryAway({ check, library, view, service }: Needs) {
  const { eid } = (await library.episodes())[0]!
  await library.server.episodes.removeDownload(eid)
  await service.goAway()
  const fetched = library.mediaRequests()
  check('without the bucket, episodes play from their host', await library.isHeard())
  check('which is asked for them', library.mediaRequests() > fetched)
  await library.server.episodes.download(eid)
  const page = async () => (await library.server.downloads.page(null)).data
  const isWaiting = async () => {
    const { counts, items } = await page()
    return counts.queued + counts.waiting === 1 && items.every(({ state }) => state !== 'failed')
  }
  check('a download waits', await isWaiting(), JSON.stringify(await page()))
  const doctor = await library.command('doctor')
  check(
    'doctor says that the bucket cannot be reached',
    doctor.stdout.includes('the bucket cannot be reached'),
    doctor.stdout,
  )
  const moved = await library.command('media', 'move', '--to', 'folder')
  check('nothing is moved meanwhile', moved.code !== 0 && /cannot be reached/.test(moved.stderr + moved.stdout))

  await service.comeBack()
  await until('the download goes on', async () => (await library.episodes()).every(({ isDownloaded }) => isDownloaded))
  const again = library.mediaRequests()
  check('once it is back, the download goes on by itself', (await view.objects()).length === 2)
  check('and episodes play from the bucket', (await library.isHeard()) && library.mediaRequests() === again)
  check('no upload is left unfinished', (await view.uploads()).length === 0)
}
