import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'bun:test'
import { lazily } from '../../../src/ui/components/lazily'

afterEach(cleanup)

const Greeting = ({ name }: { name: string }) => <p>Hello {name}</p>

test('a part whose code is loaded is there in the first picture, without a moment of nothing', async () => {
  const Part = lazily(async () => Greeting)
  await Part.load()
  expect(render(<Part name="Ada" />).container.textContent).toBe('Hello Ada')
})

test('a part whose code is not loaded yet appears when it is, and its code is loaded once', async () => {
  let loads = 0
  const Part = lazily(async () => {
    loads++
    return Greeting
  })
  const view = render(<Part name="Ada" />)
  expect(view.container.textContent).toBe('')
  await view.findByText('Hello Ada')
  await Part.load()
  expect(loads).toBe(1)
})
