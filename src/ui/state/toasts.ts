import { signal } from '@preact/signals-core'

type Toast = {
  id: number
  kind: 'done' | 'failed'
  text: string
  action?: { label: string; run: () => void }
}

const SHOWN_MS = 5000
// Long enough to read, decide and reach the button.
const WITH_ACTION_MS = 10_000
const MAX_SHOWN = 4

export type Toasts = ReturnType<typeof createToasts>

/** Short notices, at most four at a time; a new one replaces the oldest. */
export function createToasts() {
  const all = signal<readonly Toast[]>([])
  let last = 0
  const dismiss = (id: number) => (all.value = all.value.filter(toast => toast.id !== id))

  function show(toast: Omit<Toast, 'id'>) {
    const id = ++last
    // A notice that is already shown moves to the end instead of appearing twice, and undoes only the last change.
    const others = all.value.filter(
      ({ kind, text, action }) => (kind !== toast.kind || text !== toast.text) && !(action && toast.action),
    )
    all.value = [...others, { ...toast, id }].slice(-MAX_SHOWN)
    setTimeout(() => dismiss(id), toast.action ? WITH_ACTION_MS : SHOWN_MS)
    return id
  }
  return {
    all,
    dismiss,
    /** Removes all notices. */
    clear: () => (all.value = []),
    /** Returns an id by which it can be dismissed. */
    done: (text: string, action?: Toast['action']) => show({ kind: 'done', text, ...(action && { action }) }),
    failed: (text: string, action?: Toast['action']) => show({ kind: 'failed', text, ...(action && { action }) }),
  }
}
