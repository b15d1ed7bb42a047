import type { AppState } from '../app-context'
import { findPlayerAction } from '../playback/keys'
import { routes } from '../routes'
import type { ReadonlySignal } from '@preact/signals-core'

// In one file with what else is loaded after the page.
export { noteVisit } from '../state/visits'
export { followLongPresses } from './long-press'

type Needs = Pick<AppState, 'player' | 'playerSheet' | 'singleKeys' | 'searchOverlay' | 'keysHelp' | 'queuePanel'> & {
  go: (path: string) => void
}

/** Pages by the key that follows G. */
const pages: Record<string, string> = { h: routes.home, s: routes.podcasts, f: routes.favorites, t: routes.timeline }
const PATIENCE_MS = 1500

/** Handles the keys of the player, of the search, of the queue and of the help. Returns a function that ends that. */
export function handleSingleKeys(needs: Needs): () => void {
  const { player, playerSheet, singleKeys, searchOverlay, keysHelp, queuePanel, go } = needs
  const commands: Record<string, () => void> = {
    '/': searchOverlay.open,
    '?': keysHelp.open,
    q: queuePanel.toggle,
    g: () => (goUntil = performance.now() + PATIENCE_MS),
  }
  /** The moment until which the next key names a page. */
  let goUntil = 0
  return handleKeys({
    areOn: singleKeys.areOn,
    findAction(key) {
      const page = performance.now() < goUntil ? pages[key] : undefined
      goUntil = 0
      if (page) return () => go(page)
      return findPlayerAction(player, playerSheet.isOpen, key) ?? commands[key]
    },
  })
}

/** Elements where keys have their own meaning: fields, sliders, lists, menus and dialogs. */
const withOwnKeys =
  'input, textarea, select, [contenteditable], [role=slider], [role=listbox], [role=menu], [role=tablist], ' +
  'dialog:not(.player-sheet), summary'

type KeyNeeds = {
  /** Off for people who use speech input, or whose hands slip. */
  areOn: ReadonlySignal<boolean>
  /** Finds what a key does now. Letters are in lower case. */
  findAction: (key: string) => (() => void) | undefined
}

/** Listens to single keys while the focus is on the page or the player. Returns a function that ends that. */
export function handleKeys({ areOn, findAction }: KeyNeeds): () => void {
  function onKeyDown(event: KeyboardEvent) {
    if (!areOn.value || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    // The focus may be nowhere for a moment while a dialog changes.
    if (document.querySelector('dialog:modal:not(.player-sheet)')) return
    const target = event.target instanceof Element ? event.target : null
    if (target?.closest(withOwnKeys)) return
    // Space presses a button.
    if (event.key === ' ' && target?.closest('button, a, [role=button]')) return
    const action = findAction(event.key.length === 1 ? event.key.toLowerCase() : event.key)
    if (!action) return
    event.preventDefault()
    action()
  }
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}

/**
 * Has a line that ends in dots say in a tooltip all of what it says, from the moment that the mouse rests on it. Returns
 * a function that ends this.
 */
export function tellCutText(page: Document): () => void {
  const told = new WeakSet<Element>()
  const listening = new AbortController()
  const onPointerOver = ({ target }: Event) => {
    const line = (target as Element).closest<HTMLElement>('.truncate, .clamp')
    if (!line || (line.title && !told.has(line))) return
    const isCut = line.scrollWidth > line.clientWidth || line.scrollHeight > line.clientHeight
    if (isCut) line.title = line.innerText
    else line.removeAttribute('title')
    told.add(line)
  }
  page.addEventListener('pointerover', onPointerOver, { signal: listening.signal, passive: true })
  return () => listening.abort()
}
