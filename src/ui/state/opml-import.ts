import { signal } from '@preact/signals-core'
import type { Job, JobItem, OpmlImport, OpmlOutline } from '../../shared/api/job'
import type { ServerEvents } from '../../shared/server-event'
import type { OpmlApi } from '../api/opml'

/** An import of this user: what is to be chosen from, how far it is, and what failed. It goes on without this page. */
export function createOpmlImport(api: OpmlApi) {
  const source = signal<OpmlImport | null>(null)
  const outlines = signal<readonly OpmlOutline[] | null>(null)
  const chosen = signal<ReadonlySet<string>>(new Set())
  const job = signal<Job | null>(null)
  /** The feed that was dealt with last. */
  const latest = signal<string | null>(null)

  /** The import that was just started, and whether something happened to it before it was fetched. */
  let started: string | null = null
  let hasMoved = false

  const edit = (id: string, change: (job: Job) => Job) => {
    if (job.value?.id === id) job.value = change(job.value)
    else if (id === started) hasMoved = true
  }

  async function load() {
    const newest = (await api.jobs()).find(({ kind }) => kind === 'opml')
    job.value = newest ? await api.job(newest.id) : null
  }

  async function start(wanted: OpmlImport) {
    const { jobId } = await api.start(wanted)
    started = jobId
    do {
      hasMoved = false
      job.value = await api.job(jobId)
    } while (hasMoved)
    source.value = null
    outlines.value = null
  }

  return {
    outlines,
    chosen,
    job,
    latest,
    load,
    /** Reads a file without taking anything of it; all that is new is chosen. */
    async preview(from: OpmlImport) {
      const found = await api.preview(from)
      source.value = from
      outlines.value = found
      chosen.value = new Set(found.filter(({ known }) => !known).map(({ feedUrl }) => feedUrl))
    },
    choose(feedUrls: readonly string[], isChosen: boolean) {
      const next = new Set(chosen.value)
      for (const url of feedUrls)
        if (isChosen) next.add(url)
        else next.delete(url)
      chosen.value = next
    },
    discard() {
      source.value = null
      outlines.value = null
    },
    start: () => start({ ...source.value, only: [...chosen.value] }),
    /** What failed, once more. */
    retry: (items: readonly JobItem[]) => start({ content: opmlOf(items) }),
    async cancel() {
      if (job.value) await api.cancel(job.value.id)
      await load()
    },

    added({ jobId, feedUrl, done, total }: ServerEvents['opmlAdded']) {
      latest.value = feedUrl
      edit(jobId, shown => ({ ...shown, done, total }))
    },
    /** The import is marked as failed there, and the message is kept. */
    failed({ jobId, feedUrl, title, errorCode, message, done, total }: ServerEvents['opmlError']) {
      latest.value = feedUrl
      const item: JobItem = { feedUrl, title, state: 'failed', podcastId: null, errorCode, message }
      edit(jobId, shown => ({
        ...shown,
        done,
        total,
        failed: shown.failed + 1,
        items: [...shown.items.filter(other => other.feedUrl !== feedUrl), item],
      }))
    },
    progressed({ jobId, done, failed, total, finished }: ServerEvents['opmlProgress']) {
      edit(jobId, shown => ({ ...shown, done, failed, total, ...(finished && { state: 'done' as const }) }))
      if (finished && job.value?.id === jobId) void load().catch(() => undefined)
    },
  }
}
export type OpmlImportState = ReturnType<typeof createOpmlImport>

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

const opmlOf = (items: readonly JobItem[]) =>
  `<opml version="2.0"><body>${items
    .map(({ feedUrl, title }) => `<outline text="${escaped(title ?? feedUrl)}" xmlUrl="${escaped(feedUrl)}"/>`)
    .join('')}</body></opml>`
