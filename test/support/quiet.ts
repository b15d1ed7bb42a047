import type { Page, Request } from 'playwright-core'

const endless = new Set(['eventsource', 'websocket', 'media'])

/** Counts what a page waits for; the result resolves once nothing is on its way, loading or fading in. */
export function watchRequests(page: Page) {
  const open = new Set<Request>()
  const end = (request: Request) => open.delete(request)
  page.on('request', request => {
    if (!endless.has(request.resourceType())) open.add(request)
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  page.on('framenavigated', frame => {
    if (frame === page.mainFrame()) open.clear()
  })

  return async function quiet() {
    for (;;) {
      await painted(page)
      if (open.size === 0 && (await isStill(page)) && open.size === 0) return
    }
  }
}

/** Resolves once what was asked for so far is painted. */
const painted = (page: Page) =>
  page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))

const isStill = (page: Page) =>
  page.evaluate(
    () =>
      !document.querySelector('.skeleton, main[aria-busy=true], main > [aria-busy=true]') &&
      [...document.images].every(image => image.complete || image.loading === 'lazy') &&
      document.getAnimations().every(({ playState, effect }) => {
        const isEndless = effect?.getComputedTiming().iterations === Infinity
        return playState !== 'running' || isEndless
      }),
  )
