/**
 * A second audio element, which fetches the beginning of the next episode while the first one plays. The two take turns:
 * `elements.audio` is the one that plays.
 */
export function createSpare(elements: { audio: HTMLAudioElement }, onCreated: (element: HTMLAudioElement) => void) {
  let spare: HTMLAudioElement | null = null
  let wanted: string | null = null
  let hasTurned = false
  function turn(): HTMLAudioElement {
    const next = spare!
    spare = elements.audio
    elements.audio = next
    wanted = null
    return next
  }
  return {
    begin(address: string, at: number) {
      if (wanted === address) return
      if (!spare) onCreated((spare = new Audio()))
      const element = spare
      wanted = address
      hasTurned = false
      element.preload = 'auto'
      element.src = address
      if (at > 0) element.addEventListener('loadedmetadata', () => (element.currentTime = at), { once: true })
      element.load()
    },
    /** Returns the element, as the one that plays, if it knows the file at the address. */
    take(address: string) {
      if (wanted !== address || !spare || spare.readyState === 0 || spare.error) return null
      hasTurned = true
      return turn()
    },
    /** Returns the element that played before the last turn; null if there was none since. */
    giveBack(now: HTMLMediaElement) {
      if (!hasTurned || now !== elements.audio) return null
      hasTurned = false
      return turn()
    },
    /** Frees what was fetched for something that does not play next. */
    drop() {
      if (wanted !== null && spare) empty(spare)
      wanted = null
      hasTurned = false
    },
  }
}

export function empty(element: HTMLMediaElement) {
  element.removeAttribute('src')
  element.load()
}
