import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { useCombobox } from '../../../src/ui/components/use-combobox'

function Search({ found, onChoose }: { found: readonly string[]; onChoose: (index: number) => void }) {
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
const press = (key: string) => act(() => fireEvent.keyDown(field(), { key }))
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
