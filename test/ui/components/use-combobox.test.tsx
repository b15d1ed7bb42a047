import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { useCombobox, type Manner } from '../../../src/ui/components/use-combobox'

function Search({ found, onChoose }: { found: readonly string[]; onChoose: (index: number, manner: Manner) => void }) {
  const { field, list, option } = useCombobox(found.length, found, onChoose)
  return (
    <>
      <input {...field} />
      <div {...list}>
        {found.map((text, index) => (
          <div key={text} {...option(index)}>
            {text}
          </div>
        ))}
      </div>
    </>
  )
}

const field = () => screen.getByRole('combobox')
const press = (key: string, keys: object = {}) => act(() => fireEvent.keyDown(field(), { key, ...keys }))
const active = () => document.getElementById(field().getAttribute('aria-activedescendant') ?? '')?.textContent

test('arrows stop at both ends, and Enter chooses what is active', () => {
  const chosen: number[] = []
  render(<Search found={['fog', 'rain']} onChoose={index => chosen.push(index)} />)
  expect(active()).toBe('fog')
  press('ArrowUp')
  expect(active()).toBe('fog')
  press('ArrowDown')
  press('ArrowDown')
  expect(active()).toBe('rain')
  press('Enter')
  expect(chosen).toEqual([1])
})

test('Shift and Alt choose in another manner, by keyboard and by mouse', () => {
  const chosen: Manner[] = []
  render(<Search found={['fog']} onChoose={(_, manner) => chosen.push(manner)} />)
  press('Enter')
  press('Enter', { shiftKey: true })
  press('Enter', { altKey: true })
  act(() => void fireEvent.click(screen.getByText('fog'), { shiftKey: true }))
  expect(chosen).toEqual(['plain', 'shift', 'alt', 'shift'])
})

test('an active option that is no longer there gives way to the last one', () => {
  const found = ['fog', 'rain', 'snow']
  const { rerender } = render(<Search found={found} onChoose={() => undefined} />)
  press('ArrowDown')
  press('ArrowDown')
  found.pop()
  rerender(<Search found={found} onChoose={() => undefined} />)
  expect(active()).toBe('rain')
})

test('another result begins at its first option', () => {
  const { rerender } = render(<Search found={['fog', 'rain']} onChoose={() => undefined} />)
  press('ArrowDown')
  rerender(<Search found={['snow', 'hail']} onChoose={() => undefined} />)
  expect(active()).toBe('snow')
})

test('a mouse activates what it is over, and a click chooses it', () => {
  const chosen: number[] = []
  render(<Search found={['fog', 'rain']} onChoose={index => chosen.push(index)} />)
  act(() => fireEvent.pointerMove(screen.getByText('rain')))
  expect(active()).toBe('rain')
  act(() => screen.getByText('rain').click())
  expect(chosen).toEqual([1])
})

test('without options there is nothing to choose', () => {
  const chosen: number[] = []
  render(<Search found={[]} onChoose={index => chosen.push(index)} />)
  expect(field().getAttribute('aria-expanded')).toBe('false')
  press('Enter')
  expect(chosen).toEqual([])
})

test('Enter that ends a composition chooses nothing', () => {
  const chosen: number[] = []
  render(<Search found={['fog']} onChoose={index => chosen.push(index)} />)
  act(() => fireEvent.keyDown(field(), { key: 'Enter', isComposing: true }))
  expect(chosen).toEqual([])
})
