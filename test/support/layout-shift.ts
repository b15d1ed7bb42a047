import type { Page } from 'playwright-core'

/** More than this moves what somebody reads or is about to press. */
const MAX_COUNT = 0.01

type Shift = PerformanceEntry & {
  value: number
  hadRecentInput: boolean
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
}

/**
 * Lists what has moved since the document was loaded without anybody having done anything, one line each; empty while
 * all of it together is too little to be seen. A share of the viewport, so it does not depend on how fast a machine is.
 */
export const layoutShiftsIn = (page: Page): Promise<string[]> =>
  page.evaluate(async most => {
    const shifts = await new Promise<Shift[]>(resolve => {
      const found: Shift[] = []
      new PerformanceObserver(list => found.push(...(list.getEntries() as Shift[]))).observe({
        type: 'layout-shift',
        buffered: true,
      })
      // Buffered entries arrive in a task of their own.
      requestAnimationFrame(() => setTimeout(() => resolve(found)))
    })
    const unasked = shifts.filter(({ hadRecentInput }) => !hadRecentInput)
    if (unasked.reduce((sum, { value }) => sum + value, 0) < most) return []
    const box = ({ left, top, width, height }: DOMRectReadOnly) => [left, top, width, height].map(Math.round).join(' ')
    return unasked.flatMap(({ value, sources }) =>
      sources.map(({ node, previousRect, currentRect }) => {
        const element = node instanceof Element ? node : node?.parentElement
        const name = element ? `${element.localName}.${element.className}` : 'something that is gone'
        return `${value.toFixed(4)}: ${name} moved from [${box(previousRect)}] to [${box(currentRect)}]`
      }),
    )
  }, MAX_COUNT)
