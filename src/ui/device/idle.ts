const MAX_WAIT_MS = 1000

/** Resolves in an idle moment of the page, or after a second. Safari has no idle callback. */
export const idle = () =>
  new Promise<unknown>(done => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(done, { timeout: MAX_WAIT_MS })
    else setTimeout(done)
  })
