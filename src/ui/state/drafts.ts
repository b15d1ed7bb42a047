import { signal } from '@preact/signals-core'

/** Unsaved changes of forms, by the name of the form; they are there again when the user returns to the page. */
export function createDrafts() {
  const all = signal<ReadonlyMap<string, unknown>>(new Map())
  function change(edit: (drafts: Map<string, unknown>) => void) {
    const next = new Map(all.peek())
    edit(next)
    all.value = next
  }
  return {
    all,
    keep: (name: string, draft: unknown) => change(drafts => void drafts.set(name, draft)),
    clear: () => (all.value = new Map()),
    forget: (name: string) => change(drafts => void drafts.delete(name)),
  }
}
