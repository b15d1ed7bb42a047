import { activeTimers } from './timers'
import { join } from 'node:path'
import { createApp } from '../../src/server/app'
import { readConfig } from '../../src/server/config'
import { createContext } from '../../src/server/context'
import { jobsOf } from '../../src/server/jobs'
import { startJobs } from '../../src/server/jobs/scheduler'

// The server as main.ts starts it, in a process of its own, with a clock and beats six times as fast.

const FASTER = 6
const began = Date.now()
const context = createContext(readConfig(process.env), { now: () => began + (Date.now() - began) * FASTER })
const app = await createApp(context, join(import.meta.dir, '../../dist/ui'))
await context.downloads.recover()
context.covers.recover()
context.backups.recover()
app.listen({ hostname: context.config.host, port: 0 })
const jobs = startJobs(
  jobsOf(context).map(job => ({ ...job, everyMs: job.everyMs / FASTER })),
  context.log,
)

process.on('message', () => process.send!({ timers: activeTimers(), heap: process.memoryUsage().heapUsed / 2 ** 20 }))
process.on('SIGTERM', async () => {
  await Promise.all([jobs.stop(), app.server?.stop(true)])
  await context.close()
  process.exit(0)
})
process.send!({ origin: `http://127.0.0.1:${app.server!.port}` })
