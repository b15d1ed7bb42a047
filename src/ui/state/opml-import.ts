import { signal } from '@preact/signals-core'
import type { Job, JobItem, OpmlImport, OpmlOutline } from '../../shared/api/job'
import type { ServerEvents } from '../../shared/server-event'
import type { Api } from '../api'

const MAX_ATTEMPTS = 3

export type OpmlImportState = ReturnType<typeof createOpmlImport>

const imports = new WeakMap<Api['opml'], OpmlImportState>()

/** Returns the import of this page. It is made when it is first needed. */
export function opmlImportOf(api: Api['opml']): OpmlImportState {
  const known = imports.get(api) ?? createOpmlImport(api)
  imports.set(api, known)
  return known
}

/** An import of this user: the feeds to choose from, its progress, and what failed. It continues without this page. */
export function createOpmlImport(api: Api['opml']) {
  const { chosen, outlines, begin, choose, discard, wanted } = createChoice()
  const { job, edit, load, follow } = createImportJob(api)
  /** The feed that was handled last. */
  const latest = signal<string | null>(null)

  async function start(source: OpmlImport) {
    const { jobId } = await api.start(source)
    await follow(jobId)
    discard()
  }
  return {
    outlines,
    chosen,
    job,
    latest,
    load,
    /** Reads a file without adding anything; all feeds that are new are chosen. */
    preview: async (source: OpmlImport) => begin(source, await api.preview(source)),
    choose,
    discard,
    start: () => start(wanted()),
    /** Imports again what failed. */
    retry: async (items: readonly JobItem[]) => start({ content: opmlOf(items) }),
    async cancel() {
      if (job.value) await api.cancel(job.value.id)
      await load()
    },

    added({ jobId, feedUrl, done, total }: ServerEvents['opmlAdded']) {
      latest.value = feedUrl
      edit(jobId, shown => ({ ...shown, done, total }))
    },
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

/** The feeds of a file, and those that are to be imported. */
function createChoice() {
  const source = signal<OpmlImport | null>(null)
  const outlines = signal<readonly OpmlOutline[] | null>(null)
  const chosen = signal<ReadonlySet<string>>(new Set())
  return {
    outlines,
    chosen,
    begin(from: OpmlImport, found: readonly OpmlOutline[]) {
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
    wanted: (): OpmlImport => ({ ...source.value, only: [...chosen.value] }),
  }
}

/** The newest import, as on the server; events edit it. */
function createImportJob(api: Api['opml']) {
  const job = signal<Job | null>(null)
  /** The import that is being fetched, and whether an event changed it before the answer arrived. */
  let fetched: string | null = null
  let hasMoved = false

  async function follow(id: string) {
    fetched = id
    let attempts = 0
    do {
      hasMoved = false
      job.value = await api.job(id)
    } while (hasMoved && ++attempts < MAX_ATTEMPTS)
  }
  return {
    job,
    async load() {
      const newest = (await api.jobs()).find(({ kind }) => kind === 'opml')
      if (newest) await follow(newest.id)
      else job.value = null
    },
    follow,
    edit(id: string, change: (job: Job) => Job) {
      hasMoved ||= id === fetched
      if (job.value?.id === id) job.value = change(job.value)
    },
  }
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** Writes the feeds of items as a list that can be imported. */
const opmlOf = (items: readonly JobItem[]) =>
  `<opml version="2.0"><body>${items
    .map(({ feedUrl, title }) => `<outline text="${escaped(title ?? feedUrl)}" xmlUrl="${escaped(feedUrl)}"/>`)
    .join('')}</body></opml>`
