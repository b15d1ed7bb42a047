import type { CDPSession, Page } from 'playwright-core'

type Shift = { at: number; value: number }
type InteractionEvent = { at: number; interaction: number; ms: number }
export type Vitals = {
  largestPaintMs: number
  shifts: Shift[]
  events: InteractionEvent[]
  longTasksMs: number[]
  mostRows: number
  /** Milliseconds from one frame to the next. */
  framesMs: number[]
}
declare global {
  interface Window {
    vitals: Vitals
  }
}

const MAX_SESSION_MS = 5000
const MAX_GAP_MS = 1000

/** Has every document of the page tell what its browser measures; read it with `vitalsOf`. */
export const observeVitals = (page: Page) =>
  page.addInitScript(() => {
    type Entry = PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      interactionId: number
    }
    const vitals: Vitals = { largestPaintMs: 0, shifts: [], events: [], longTasksMs: [], mostRows: 0, framesMs: [] }
    window.vitals = vitals
    const observe = (type: string, take: (entry: Entry) => void) =>
      new PerformanceObserver(list => list.getEntries().forEach(entry => take(entry as Entry))).observe({
        type,
        buffered: true,
        durationThreshold: 16,
      } as PerformanceObserverInit)
    observe('largest-contentful-paint', entry => (vitals.largestPaintMs = entry.startTime))
    observe('layout-shift', ({ startTime: at, value, hadRecentInput }) => {
      if (!hadRecentInput) vitals.shifts.push({ at, value })
    })
    observe('event', ({ startTime: at, interactionId: interaction, duration: ms }) => {
      if (interaction > 0) vitals.events.push({ at, interaction, ms })
    })
    observe('longtask', entry => vitals.longTasksMs.push(entry.duration))
    let last = performance.now()
    const watchFrame = (now: number) => {
      vitals.mostRows = Math.max(vitals.mostRows, document.getElementsByClassName('episode').length)
      vitals.framesMs.push(now - last)
      last = now
      requestAnimationFrame(watchFrame)
    }
    requestAnimationFrame(watchFrame)
  })

export const vitalsOf = (page: Page) => page.evaluate(() => window.vitals)

/** Answers once everything asked for so far has been painted. */
export const painted = (page: Page) =>
  page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))

/** Cumulative layout shift as https://web.dev/articles/cls has it: the worst session of shifts close to each other. */
export function layoutShift(shifts: readonly Shift[]): number {
  let [worst, sum, first, last] = [0, 0, -Infinity, -Infinity]
  for (const { at, value } of shifts) {
    if (at - last >= MAX_GAP_MS || at - first >= MAX_SESSION_MS) [sum, first] = [0, at]
    last = at
    sum += value
    worst = Math.max(worst, sum)
  }
  return worst
}

/** The events of one press or click are one interaction, as long as the longest of them. */
export function interactionsOf(events: readonly InteractionEvent[]): { at: number; ms: number }[] {
  const byId = Map.groupBy(events, event => event.interaction)
  return [...byId.values()].map(group => ({
    at: Math.min(...group.map(({ at }) => at)),
    ms: Math.max(...group.map(({ ms }) => ms)),
  }))
}

/** Bytes that are in use after a collection. */
export async function heapBytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize
}

/**
 * Processor time of the longest task of the page's own thread in a trace of `toplevel`: other processes take nothing of
 * it.
 */
export function busiestTaskMs(trace: Buffer): number {
  type TraceEvent = { name: string; ph: string; pid: number; tid: number; tdur?: number; args?: { name?: string } }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
  const isPages = ({ pid, tid }: TraceEvent) => threads.some(thread => thread.pid === pid && thread.tid === tid)
  const tasks = traceEvents.filter(event => event.name.endsWith('RunTask') && event.ph === 'X' && isPages(event))
  return tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur / 1000), 0)
}
