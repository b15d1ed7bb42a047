import { computed, signal } from '@preact/signals-core'

export type Selection<T> = ReturnType<typeof createSelection<T>>

/** All items of a list, except for some by their id. */
type Everything = { total: number; except: ReadonlySet<string> }

const countOf = (whole: Everything | null, chosen: ReadonlyMap<string, unknown>) =>
  whole ? whole.total - whole.except.size : chosen.size

/**
 * Items of a list that are chosen together, at most `most`. `idOf`: identifies an item; the latest version of an item
 * counts.
 */
export function createSelection<T>(idOf: (item: T) => string, most = Infinity) {
  const byId = signal<ReadonlyMap<string, T>>(new Map())
  const isActive = signal(false)
  /** Set if all are chosen, also those that are not loaded. */
  const everything = signal<Everything | null>(null)
  /** Whether the last choice was all that was loaded. */
  const isAllLoaded = signal(false)
  /** The item that a range begins at. */
  let anchorId: string | null = null

  function choose(next: ReadonlyMap<string, T>) {
    everything.value = null
    isAllLoaded.value = false
    byId.value = next.size > most ? new Map([...next].slice(0, most)) : next
    isActive.value = true
  }
  function toggle(item: T) {
    const id = idOf(item)
    anchorId = id
    const whole = everything.peek()
    if (whole) {
      everything.value = { ...whole, except: whole.except.symmetricDifference(new Set([id])) }
      return
    }
    const next = new Map(byId.peek())
    if (!next.delete(id)) next.set(id, item)
    choose(next)
  }

  return {
    byId,
    /** Whether the list shows its boxes; it may while nothing is chosen yet. */
    isActive,
    items: computed(() => [...byId.value.values()]),
    count: computed(() => countOf(everything.value, byId.value)),
    everything,
    has: (id: string) => (everything.value ? !everything.value.except.has(id) : byId.value.has(id)),
    toggle,
    /** The id of the item that a range begins at. */
    anchor: () => anchorId,
    /** Adds everything between the item chosen last and this one, in the order of the list. */
    extendTo(item: T, list: readonly T[]) {
      const from = list.findIndex(one => idOf(one) === anchorId)
      const to = list.findIndex(one => idOf(one) === idOf(item))
      if (from === -1 || to === -1) {
        toggle(item)
        return
      }
      const range = list.slice(Math.min(from, to), Math.max(from, to) + 1)
      const whole = everything.peek()
      if (whole) everything.value = { ...whole, except: whole.except.difference(new Set(range.map(idOf))) }
      else choose(new Map([...byId.peek(), ...range.map(one => [idOf(one), one] as const)]))
    },
    /** Shows the boxes. */
    begin: () => (isActive.value = true),
    isAllLoaded,
    chooseAll(list: readonly T[]) {
      choose(new Map(list.map(one => [idOf(one), one])))
      isAllLoaded.value = list.length > 0
    },
    /** Chooses all items, also those that are not loaded. */
    chooseEverything(total: number) {
      everything.value = { total, except: new Set() }
    },
    /** Follows a change of the list: items that are gone from it are no longer chosen. */
    follow(list: readonly T[]) {
      if (byId.peek().size === 0) return
      const chosen = list.filter(one => byId.peek().has(idOf(one)))
      byId.value = new Map(chosen.map(one => [idOf(one), one]))
    },
    end() {
      anchorId = null
      everything.value = null
      isAllLoaded.value = false
      byId.value = new Map()
      isActive.value = false
    },
  }
}
