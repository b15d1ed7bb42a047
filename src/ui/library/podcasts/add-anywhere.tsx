import { useSignals } from '@preact/signals-react/runtime'
import { FileUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { OpmlImport } from '../../../shared/api/job'
import { useApp } from '../../app-context'
import { useAction } from '../../components/use-action'
import { describeFailure } from '../../failure'
import { routes } from '../../routes'
import { opmlImportOf } from '../../state/opml-import'
import type { ListOfFeeds } from '../../device/read-list'

/** Accepts an address or a list of feeds that is pasted or dropped anywhere, from those who may add podcasts. */
export function AddAnywhere() {
  useSignals()
  const { session } = useApp()
  return session.mayAdd.value ? <Watching /> : null
}

function Watching() {
  const { addPodcast, moving, toasts } = useApp()
  const [, navigate] = useLocation()
  const { t } = useTranslation()
  const [isOver, setOver] = useState(false)
  const { lookInside, reason } = useOpmlInside()
  const look = useRef(lookInside)
  look.current = lookInside
  useEffect(
    () =>
      watchArrivals(document, {
        onHover: setOver,
        onArrival(arrival) {
          if ('address' in arrival) addPodcast.open(arrival.address)
          else if ('list' in arrival) look.current(arrival.list)
          else {
            moving.drop(arrival.file)
            navigate(routes.settingsOf('move-in'))
          }
        },
      }),
    [addPodcast, moving, navigate],
  )
  useEffect(() => {
    if (reason !== null) toasts.failed(reason)
  }, [reason, toasts])
  if (!isOver) return null
  return (
    <div className="drop-page fixed strong accent stack gap-12" role="status">
      <FileUp size={40} strokeWidth={1.5} aria-hidden="true" />
      {t('drop-to-look-inside')}
    </div>
  )
}

/** An action that reads a list of feeds and opens the page on which one chooses what to import. */
export function useOpmlInside(onRead?: () => void) {
  const opmlImport = opmlImportOf(useApp().api.opml)
  const [, navigate] = useLocation()
  const { failure, run, isBusy } = useAction(async (source: OpmlImport) => {
    await opmlImport.preview(source)
    onRead?.()
    navigate(routes.settingsOf('opml'))
  })
  return { lookInside: run, isBusy, reason: failure === null ? null : describeFailure(failure) }
}

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

const readFile = async (file: File) => (await import('../../device/read-list')).readArrival(file, isOpml)

const isOpml = (text: string) => /^(<\?xml[^>]*>\s*)?(<!--[\s\S]{0,1000}?-->\s*)?<opml[\s>]/i.test(text)

const isBusy = (page: Document) => page.querySelector('dialog[open]') !== null

const isField = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
