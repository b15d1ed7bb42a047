type Options = {
  /** The length of the episode in seconds, beyond which a time is not linked; 0 = unknown. */
  longest: number
  /** The accessible name of a link, from its time. */
  nameOf: (time: string) => string
}

// h:mm:ss or mm:ss, and neither part of a longer number nor of a ratio or date.
const TIME = /(?<![\d:./-])(?:(\d{1,2}):)?([0-5]?\d):([0-5]\d)(?![\d:/]|\.\d)/g

const ATTRIBUTE = 'data-seconds'

/**
 * Makes every time in notes a link that plays from there. `html` was made safe by the server; what is a link, code or a
 * its own heading stays as it is.
 */
export function linkTimes(html: string, { longest, nameOf }: Options): string {
  if (html.search(TIME) === -1) return html
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) {
    const text = walker.currentNode as Text
    if (!text.parentElement!.closest('a, code, pre')) texts.push(text)
  }
  for (const text of texts) linkTimesIn(text, longest, nameOf)
  return body.innerHTML
}

/** Finds the second that a clicked link of `linkTimes` plays from; null for everything else. */
export function secondsOfLink(target: EventTarget): number | null {
  const seconds = target instanceof Element ? target.closest(`[${ATTRIBUTE}]`)?.getAttribute(ATTRIBUTE) : null
  return seconds == null ? null : Number(seconds)
}

function linkTimesIn(text: Text, longest: number, nameOf: Options['nameOf']) {
  const parts: (string | Node)[] = []
  let from = 0
  for (const match of text.data.matchAll(TIME)) {
    const [time, hours, minutes, rest] = match
    const seconds = Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(rest)
    if (longest > 0 && seconds > longest) continue
    parts.push(text.data.slice(from, match.index), createLink(time, seconds, nameOf(time)))
    from = match.index + time.length
  }
  if (parts.length > 0) text.replaceWith(...parts, text.data.slice(from))
}

function createLink(time: string, seconds: number, name: string): Node {
  const link = document.createElement('a')
  link.href = `#t=${seconds}`
  link.className = 'time-link strong numbers'
  link.setAttribute(ATTRIBUTE, String(seconds))
  link.setAttribute('aria-label', name)
  link.textContent = time
  return link
}
