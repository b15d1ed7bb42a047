import type { Locator, Page } from 'playwright-core'

/** Somebody at the interface, who counts what it takes. */
export type Hand = {
  /** Presses so far: taps, clicks or swipes; letters do not count. */
  count: number
  press(target: Locator): Promise<void>
  type(words: string): Promise<void>
}

type Point = readonly [x: number, y: number]

const FAR = 140
const STEPS = 8
const FRAME = 0.016
const REST = 0.2
/** More stops than any page has before what a journey wants. */
const MAX_STOPS = 250

/** A thumb on a phone. */
export function createThumb(page: Page) {
  const hand = {
    count: 0,
    async press(target: Locator) {
      hand.count++
      await target.tap()
    },
    type: (words: string) => page.keyboard.type(words),
    /** Moves a row to the right by finger, and lets go. */
    async swipe(target: Locator) {
      await target.scrollIntoViewIfNeeded()
      const box = (await target.boundingBox())!
      const from = box.x + box.width / 3
      const y = box.y + box.height / 2
      await hand.drag([from, y], [from + FAR, y])
    },
    /** Moves at a finger's pace, and rests before it lets go: the press after a fling only ends that. */
    async drag(from: Point, to: Point) {
      hand.count++
      let timestamp = Date.now() / 1000 - STEPS * FRAME
      const session = await page.context().newCDPSession(page)
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', [x, y]: Point) =>
        session.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: type === 'touchEnd' ? [] : [{ x, y }],
          timestamp: (timestamp += FRAME),
        })
      const between = (share: number): Point => [
        from[0] + (to[0] - from[0]) * share,
        from[1] + (to[1] - from[1]) * share,
      ]
      await touch('touchStart', from)
      for (let step = 1; step <= STEPS; step++) await touch('touchMove', between(step / STEPS))
      timestamp += REST
      await touch('touchEnd', to)
      await session.detach()
    },
  }
  return hand
}

export function createMouse(page: Page): Hand {
  const hand: Hand = {
    count: 0,
    async press(target) {
      hand.count++
      await target.click()
    },
    type: words => page.keyboard.type(words),
  }
  return hand
}

/** A keyboard alone: from stop to stop until the target has the focus, then Enter. */
export function createKeyboard(page: Page): Hand {
  const hand: Hand = {
    count: 0,
    async press(target) {
      await target.waitFor()
      hand.count++
      const role = await target.getAttribute('role')
      if (role === 'option') await walkDown(page, target)
      else await walkTo(page, target, role === 'menuitem' ? 'ArrowDown' : 'Tab')
      // A field is ready as soon as it has the focus.
      if (!(await target.evaluate(element => element.matches('input, textarea')))) await page.keyboard.press('Enter')
    },
    type: words => page.keyboard.type(words),
  }
  return hand
}

async function walkTo(page: Page, target: Locator, key: 'Tab' | 'ArrowDown') {
  const isThere = () => target.evaluate(element => element === document.activeElement)
  for (let stops = 0; stops < MAX_STOPS; stops++) {
    if (await isThere()) return
    await page.keyboard.press(key)
  }
  throw new Error(`the keyboard does not reach ${String(target)}`)
}

/** In a list of results the focus stays in the field, and arrows choose. */
async function walkDown(page: Page, target: Locator) {
  for (let stops = 0; stops < MAX_STOPS; stops++) {
    if ((await target.getAttribute('aria-selected')) === 'true') return
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`the arrows do not reach ${String(target)}`)
}
