import type { ReadonlySignal } from '@preact/signals-core'

/** Elements where keys have their own meaning: fields, sliders, lists, menus and dialogs. */
const withOwnKeys =
  'input, textarea, select, [contenteditable], [role=slider], [role=listbox], [role=menu], [role=tablist], ' +
  'dialog:not(.player-sheet), summary'

type Needs = {
  /** Off for people who use speech input, or whose hands slip. */
  areOn: ReadonlySignal<boolean>
  /** Finds what a key does now. Letters are in lower case. */
  findAction: (key: string) => (() => void) | undefined
}

/** Listens to single keys while the focus is on the page or the player. Returns a function that ends that. */
export function handleKeys({ areOn, findAction }: Needs): () => void {
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
