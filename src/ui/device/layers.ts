// Why: docs/internals/decisions/0014

type Window = Pick<globalThis.Window, 'addEventListener' | 'setTimeout'> & { readonly history: History }
type Layer = { close: () => void }

/**
 * The layers over the page: dialogs, sheets, menus on phones. Each has its own entry in the browser's history, so that
 * Back closes the topmost layer and leaves the page as it is.
 */
export function createLayers(window: Window) {
  const { history } = window
  const open: Layer[] = []
  /** Whether the history is moving to another entry. */
  let isGoing = false
  let isDue = false

  const depthHere = () => (history.state as { layers?: number } | null)?.layers ?? 0

  /**
   * Gives the history one entry for each open layer. Entries left over from a reload or a link are skipped by going
   * back.
   */
  function align() {
    isDue = false
    if (isGoing) return
    const missing = open.length - depthHere()
    if (missing < 0) {
      isGoing = true
      history.go(missing)
    }
    for (let depth = depthHere() + 1; missing > 0 && depth <= open.length; depth += 1)
      history.pushState({ layers: depth }, '')
  }
  // A menu that closes so that a dialog opens needs no change.
  function alignSoon() {
    if (isDue) return
    isDue = true
    window.setTimeout(align)
  }
  window.addEventListener('popstate', () => {
    const wasGoing = isGoing
    isGoing = false
    if (!wasGoing) while (open.length > depthHere()) open.pop()!.close()
    alignSoon()
  })
  alignSoon()

  return {
    /** Adds a layer; `close` is called on Back. Returns what to call when the layer has closed in another way. */
    open(close: () => void): () => void {
      const layer = { close }
      open.push(layer)
      alignSoon()
      return () => {
        const place = open.indexOf(layer)
        if (place === -1) return
        open.splice(place, 1)
        alignSoon()
      }
    },
    /** Closes all layers, the topmost first. */
    closeAll() {
      while (open.length > 0) open.pop()!.close()
      alignSoon()
    },
  }
}

let ofPage: ReturnType<typeof createLayers> | undefined

/** Returns the layers of this page. */
export const pageLayers = () => (ofPage ??= createLayers(window))
