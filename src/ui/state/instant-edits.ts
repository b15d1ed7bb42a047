import { batch, computed, signal } from '@preact/signals-core'

type Needs<T> = {
  /** Sends an edit, and returns everything in its new state. */
  save: (edit: Partial<T>) => Promise<T>
  onSaved: (saved: T, edit: Partial<T>) => void
  onFailed: (error: unknown, edit: Partial<T>) => void
}

/**
 * Saves each change at once. One save runs at a time; what is changed until then is shown at once and saved in the next
 * one. Refused changes fall back to what is saved.
 */
export function createInstantEdits<T extends object>(initial: T, { save, onSaved, onFailed }: Needs<T>) {
  const saved = signal(initial)
  const sending = signal<Partial<T> | null>(null)
  const waiting = signal<Partial<T>>({})

  async function sendNext() {
    const edit = waiting.peek()
    if (sending.peek() || Object.keys(edit).length === 0) return
    batch(() => {
      sending.value = edit
      waiting.value = {}
    })
    try {
      saved.value = await save(edit)
      sending.value = null
      onSaved(saved.value, edit)
    } catch (error) {
      sending.value = null
      onFailed(error, edit)
    }
    await sendNext()
  }
  return {
    /** The values as they are saved, or will be once the changes have arrived. */
    values: computed<T>(() => ({ ...saved.value, ...sending.value, ...waiting.value })),
    change(edit: Partial<T>) {
      waiting.value = { ...waiting.peek(), ...edit }
      void sendNext()
    },
  }
}
