import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { viewBucket } from '../../support/bucket-view'
import { findProgram } from '../../support/programs'
import { startMoto, startVersitygw, type Service } from '../../support/versitygw'
import { tryAway } from './away'
import { startStoredLibrary } from './library'
import { tryFiles } from './files'
import type { Report } from '../../support/report'

// S3 services of others with the built executable, where they are installed. `bun run build` first.

const services: { program: string; start: (program: string, folder: string) => Promise<Service> }[] = [
  { program: 'versitygw', start: startVersitygw },
  { program: 'moto_server', start: startMoto },
]

export async function run(report: Report) {
  for (const { program, start } of services) {
    const found = findProgram(program)
    if (!found) {
      report.skip(program, `${program} is not installed`)
      continue
    }
    const folder = mkdtempSync(join(tmpdir(), 'castellan-storage-'))
    try {
      await using service = await start(found, join(folder, 's3'))
      await tryService(report, service, folder)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

async function tryService(report: Report, service: Service, folder: string) {
  const view = viewBucket(service)
  await view.create()
  await using library = await startStoredLibrary(service, join(folder, 'data'))
  const check = (name: string, isFine: boolean, detail = '') => report.check(`${service.name}: ${name}`, isFine, detail)
  await tryFiles({ check, library, view, data: join(folder, 'data'), isStrict: service.name === 'versitygw' })
  if (service.name === 'moto') report.skip('moto: a bucket that is away', 'it keeps objects in memory, and loses them')
  else await tryAway({ check, library, view, service })
}
