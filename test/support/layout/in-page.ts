import { controlsIn, findMisplaced } from './controls'
import { findIndistinct, findLively, findMotion, findRingless } from './states'
import { findClippedHeadings, findCutText } from './text'

// Runs in the page, as a script of its own.

declare global {
  interface Window {
    findLayoutFaults: () => string[]
    findStateFaults: () => string[]
    findMotion: () => string[]
  }
}

window.findLayoutFaults = () => {
  const scope = topmost()
  const isTouched = innerWidth < 768 && matchMedia('(pointer: coarse)').matches
  const found = [...findPageFaults(), ...findCutText(scope), ...findClippedHeadings(), ...findLively(scope)]
  for (const control of controlsIn(scope)) found.push(...findMisplaced(control, isTouched))
  scrollTo(0, 0)
  return found
}

window.findStateFaults = () => [...findIndistinct(topmost()), ...findRingless(topmost()), ...findSeeThrough()]
window.findMotion = findMotion

function findPageFaults(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement
  const tooWide = scrollWidth > clientWidth ? [`the page is ${scrollWidth - clientWidth} px too wide`] : []
  const headings = document.querySelectorAll('h1').length
  return headings === 0 ? [...tooWide, 'no h1'] : tooWide
}

/** Finds bars over the page that have lost their background, so that the page is seen through them. */
function findSeeThrough(): string[] {
  const bars = [...document.querySelectorAll('.player, .phone-navigation')].filter(bar => bar.checkVisibility())
  return bars
    .filter(bar => getComputedStyle(bar).backgroundColor.endsWith(', 0)'))
    .map(bar => `seen through: .${bar.className}`)
}

/** Finds the part that a press can reach now: the last of what lies over the page, or the page. */
function topmost(): Element {
  const layers = [
    ...document.querySelectorAll('dialog[open], [role=dialog], [role=alertdialog], [role=menu], .bell-popover'),
  ]
  return layers.findLast(layer => layer.checkVisibility()) ?? document.body
}
