import { computed, signal } from '@preact/signals-core'
import type { PodcastPreview } from '../../shared/api/directory'
import { createResource } from '../resource'

const REST_MS = 300

/** The result for an address. */
export type Looked = { address: string; seen: PodcastPreview }
type Preview = (address: string, signal: AbortSignal, userAgent?: string) => Promise<PodcastPreview>

export type AddressLook = ReturnType<typeof createAddressLook>

/** Distinguishes (the beginning of) an address from words to search for. The `https://` may be missing. */
export const isAddress = (text: string) => /^\w+:\S/.test(text) || (!/\s/.test(text) && /.\.../.test(text))

/** Finds out what is at the address that a person types, once the typing pauses. Words are handled elsewhere. */
export function createAddressLook(preview: Preview, restMs = REST_MS) {
  const text = signal('')
  const given = computed(() => text.value.trim())
  const looking = createResource<Looked, [string, string?]>(
    async (signal, address, userAgent) => ({ address, seen: await preview(address, signal, userAgent) }),
    { debounceMs: restMs },
  )

  let asked = ''
  /** The name that is sent instead of Castellan's. */
  const userAgent = signal<string>()

  function look(address: string) {
    asked = address
    looking.set(null)
    void looking.load(address, userAgent.peek())
  }
  return {
    text,
    given,
    userAgent,
    isAddress: computed(() => isAddress(given.value)),
    looked: looking.data,
    error: looking.error,
    isBusy: looking.isLoading,
    type(next: string) {
      const before = given.peek()
      text.value = next
      if (given.peek() === before) return
      userAgent.value = undefined
      if (isAddress(given.peek())) look(given.peek())
      else looking.set(null)
    },
    /** Previews a feed that a web page names. */
    choose(feedUrl: string) {
      text.value = feedUrl
      look(feedUrl)
    },
    /** Previews a feed that asked for a sign-in again. The field never shows the password. */
    signIn(feedUrl: string, user: string, password: string) {
      const url = new URL(feedUrl)
      url.username = encodeURIComponent(user)
      url.password = encodeURIComponent(password)
      look(url.href)
    },
    /** Tries again with a user agent other than Castellan's, which is kept until something else is typed. */
    lookAs(name: string) {
      userAgent.value = name
      look(asked)
    },
    retry: looking.retry,
    end: looking.cancel,
  }
}
