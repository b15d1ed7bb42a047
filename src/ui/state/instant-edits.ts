import { batch, computed, signal } from '@preact/signals-core'

type Needs<T> = {
  /** Sends an edit, and returns everything in its new state. */
  save: (edit: Partial<T>) => Promise<T>
  onSaved: (saved: T, edit: Partial<T>) => void
}

/**
 * Saves each change at once. One save runs at a time; what is changed until then is shown at once and saved in the next
 * one. Refused changes stay as they are, with the error, until they are changed or sent again.
 */
export function createInstantEdits<T extends object>(initial: T, { save, onSaved }: Needs<T>) {
  const saved = signal(initial)
  const sending = signal<Partial<T> | null>(null)
  const waiting = signal<Partial<T>>({})
  const refused = signal<{ edit: Partial<T>; error: unknown } | null>(null)

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
      batch(() => {
        sending.value = null
        refused.value = { edit: { ...refused.peek()?.edit, ...edit }, error }
      })
    }
    await sendNext()
  }
  function change(edit: Partial<T>) {
    const left = refused.peek()
    batch(() => {
      if (left) refused.value = without(left, edit)
      waiting.value = { ...waiting.peek(), ...edit }
    })
    void sendNext()
  }
  return {
    /** The values as they are saved, will be once the changes have arrived, or would be if they weren't refused. */
    values: computed<T>(() => ({ ...saved.value, ...refused.value?.edit, ...sending.value, ...waiting.value })),
    refused,
    change,
    /** Sends the refused changes again. */
    retry() {
      if (refused.peek()) change(refused.peek()!.edit)
    },
  }
}

/** The refused changes apart from those that a new edit replaces; null if none is left. */
function without<T>({ edit, error }: { edit: Partial<T>; error: unknown }, replacing: Partial<T>) {
  const left = Object.fromEntries(Object.entries(edit).filter(([name]) => !(name in replacing))) as Partial<T>
  return Object.keys(left).length > 0 ? { edit: left, error } : null
}
