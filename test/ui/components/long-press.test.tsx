import { act, fireEvent, render, screen } from '@testing-library/react'
import { Ellipsis } from 'lucide-react'
import { afterEach, expect, test } from 'bun:test'
import { Menu } from '../../../src/ui/components/menu'
import { followLongPresses } from '../../../src/ui/shell/long-press'

const ends: (() => void)[] = []
afterEach(() => ends.splice(0).forEach(end => end()))

/** Ends the time of a long press, as long as the finger rests. */
let onRest: (() => void) | null = null

/** A tile with a menu and another button. */
function show(isSelecting = false) {
  render(
    <ul>
      <li className={isSelecting ? 'is-selecting' : ''}>
        <div className="playlist-tile">
          <a href="#evening">Evening</a>
          <button type="button">Play</button>
          <Menu icon={Ellipsis} label="More" items={[{ label: 'Delete' }]} />
        </div>
      </li>
    </ul>,
  )
  const end = followLongPresses(document, run => {
    onRest = run
    return () => void (onRest = null)
  })
  ends.push(end)
}
const finger = { pointerId: 1, pointerType: 'touch', isPrimary: true, clientX: 100, clientY: 100 }
const press = (name = 'Evening', over = {}) => fireEvent.pointerDown(screen.getByText(name), { ...finger, ...over })
const rest = () => act(() => onRest?.())
const isOpen = () => screen.queryByRole('menu') !== null

test('a finger that rests opens the menu, and its release is no click', () => {
  show()
  press()
  rest()
  expect([isOpen(), screen.getAllByRole('menu').length]).toEqual([true, 1])
  fireEvent.pointerUp(screen.getByText('Evening'), finger)
  // What a handler prevents returns false.
  expect(fireEvent.touchEnd(screen.getByText('Evening'))).toBe(false)
  expect(fireEvent.touchEnd(screen.getByText('Evening'))).toBe(true)
  expect(isOpen()).toBe(true)
})

test('where the browser says that a finger rests, the menu opens instead of its own', () => {
  show()
  press()
  expect(fireEvent.contextMenu(screen.getByText('Evening'))).toBe(false)
  expect([isOpen(), onRest]).toEqual([true, null])
})

test('the menu of the browser opens for a mouse', () => {
  show()
  press('Evening', { pointerType: 'mouse' })
  expect([fireEvent.contextMenu(screen.getByText('Evening')), isOpen()]).toEqual([true, false])
})

test.each([
  ['moves', () => fireEvent.pointerMove(document.body, { ...finger, clientY: 120 })],
  ['scrolls the page', () => fireEvent.scroll(document)],
  ['is lifted', () => fireEvent.pointerUp(document.body, finger)],
  ['is joined by another', () => press('Evening', { pointerId: 2, isPrimary: false })],
])('a finger that %s opens no menu', (_, end) => {
  show()
  press()
  end()
  rest()
  expect(isOpen()).toBe(false)
})

test('a press on a button, within the menu or while rows are being selected opens no menu', () => {
  show()
  press('Play')
  rest()
  expect(isOpen()).toBe(false)
  document.body.replaceChildren()
  show(true)
  press()
  rest()
  expect(isOpen()).toBe(false)
})

test('a finger that has selected text opens no menu', () => {
  show()
  press()
  getSelection()!.selectAllChildren(screen.getByText('Evening'))
  rest()
  getSelection()!.removeAllRanges()
  expect(isOpen()).toBe(false)
})
