import { signal } from '@preact/signals-core'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { handleKeys } from '../../../src/ui/shell/single-keys'

/** A page with a button and a field, and a note of the keys that do something. */
function startKeys() {
  const areOn = signal(true)
  const pressed: string[] = []
  const end = handleKeys({ areOn, findAction: key => (key === 'x' ? undefined : () => void pressed.push(key)) })
  render(
    <>
      <p>page</p>
      <button type="button">press</button>
      <input />
      <dialog className="player-sheet">player</dialog>
    </>,
  )
  const press = (element: Element, key: string, rest = {}) => fireEvent.keyDown(element, { key, ...rest })
  return { areOn, pressed, end, press }
}

test('a key on the page does what it does in lower case, and the page does nothing else with it', () => {
  const { pressed, press, end } = startKeys()
  expect([press(screen.getByText('page'), 'K'), press(screen.getByText('page'), 'x')]).toEqual([false, true])
  press(screen.getByText('player'), 'ArrowUp')
  end()
  press(screen.getByText('page'), 'k')
  expect(pressed).toEqual(['k', 'ArrowUp'])
})

test('a key where it has a meaning of its own is left alone', () => {
  const { pressed, press, end, areOn } = startKeys()
  press(screen.getByRole('textbox'), 'k')
  press(screen.getByText('press'), ' ')
  press(screen.getByText('page'), 'k', { ctrlKey: true })
  areOn.value = false
  press(screen.getByText('page'), 'k')
  expect(pressed).toEqual([])
  areOn.value = true
  press(screen.getByText('press'), 'k')
  expect(pressed).toEqual(['k'])
  end()
})
