import type { ListOfFeeds } from './read-list'

export type Arrival = { address: string } | { list: ListOfFeeds } | { file: File }

type Needs = {
  /** Called with an address, with a list of feeds, or with a file that is something else. */
  onArrival: (arrival: Arrival) => void
  /** Called when something that may be dropped is dragged over the page, and when it leaves. */
  onHover: (isOver: boolean) => void
}

const addressOnly = /^(https?|feed|itpc|pcast|podcast|rss|antennapod-subscribe):\S+$/i

/**
 * Watches for addresses and lists of feeds that are pasted or dropped anywhere on the page, outside of fields and
 * dialogs. Returns a function that ends that.
 */
export function watchArrivals(page: Document, { onArrival, onHover }: Needs): () => void {
  /** Whether something in the page itself is being dragged. */
  let isOurs = false
  let depth = 0
  const hover = (next: number) => {
    depth = Math.max(0, next)
    onHover(depth > 0)
  }
  const accepts = ({ dataTransfer }: DragEvent) =>
    !isOurs && !isBusy(page) && /^(Files|text\/uri-list)$/m.test([...(dataTransfer?.types ?? [])].join('\n'))

  const handlers: { [T in keyof DocumentEventMap]?: (event: DocumentEventMap[T]) => void } = {
    paste(event) {
      if (isBusy(page) || isField(event.target)) return
      const [file] = event.clipboardData?.files ?? []
      const text = event.clipboardData?.getData('text/plain').trim() ?? ''
      if (file) void readFile(file).then(onArrival)
      else if (addressOnly.test(text)) onArrival({ address: text })
      else if (isOpml(text)) onArrival({ list: { content: text } })
      else return
      event.preventDefault()
    },
    dragstart: () => void (isOurs = true),
    dragend: () => void (isOurs = false),
    dragenter: event => accepts(event) && hover(depth + 1),
    dragleave: event => accepts(event) && hover(depth - 1),
    dragover: event => accepts(event) && event.preventDefault(),
    drop(event) {
      if (!accepts(event) || isField(event.target)) return
      event.preventDefault()
      hover(0)
      const [file] = event.dataTransfer?.files ?? []
      const [address = ''] = event.dataTransfer?.getData('text/uri-list').split(/\r?\n/) ?? []
      if (file) void readFile(file).then(onArrival)
      else if (addressOnly.test(address)) onArrival({ address })
    },
  }
  const all = Object.entries(handlers) as [string, EventListener][]
  for (const [type, handle] of all) page.addEventListener(type, handle)
  return () => {
    for (const [type, handle] of all) page.removeEventListener(type, handle)
  }
}

const readFile = async (file: File) => (await import('./read-list')).readArrival(file, isOpml)

const isOpml = (text: string) => /^(<\?xml[^>]*>\s*)?(<!--[\s\S]{0,1000}?-->\s*)?<opml[\s>]/i.test(text)

const isBusy = (page: Document) => page.querySelector('dialog[open]') !== null

const isField = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
