import { act, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { useResource } from '../../../src/ui/use-resource'

/** Searches that the test answers in its own order. */
function createSearch() {
  const asked: { words: string; signal: AbortSignal; answer: (text: string) => void; refuse: () => void }[] = []
  const find = (signal: AbortSignal, words: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    asked.push({ words, signal, answer: resolve, refuse: () => reject(new Error('down')) })
    return promise
  }
  return { asked, find }
}

function Found({ words, find }: { words: string; find: ReturnType<typeof createSearch>['find'] }) {
  const { data, error, isLoading, isStale, retry, set } = useResource(find, [words])
  return (
    <>
      <output>
        {`${data} ${error ? 'failed' : ''} ${isLoading ? 'loading' : ''} ${isStale ? 'stale' : ''}`.trim()}
      </output>
      <button type="button" onClick={() => void retry()}>
        retry
      </button>
      <button type="button" onClick={() => set('edited')}>
        edit
      </button>
    </>
  )
}

const shown = () => screen.getByRole('status').textContent?.replaceAll(/ +/g, ' ')

test('a component loads when it appears, and again when what it asks for changes', async () => {
  const { asked, find } = createSearch()
  const { rerender } = render(<Found words="fog" find={find} />)
  expect(shown()).toBe('null loading')
  await act(async () => asked[0]!.answer('about fog'))
  expect(shown()).toBe('about fog')

  rerender(<Found words="fog" find={find} />)
  expect(asked.length).toBe(1)
  rerender(<Found words="rain" find={find} />)
  expect(shown()).toBe('about fog loading stale')
  await act(async () => asked[1]!.answer('about rain'))
  expect(shown()).toBe('about rain')
})

test('an answer to earlier words that comes last is not shown', async () => {
  const { asked, find } = createSearch()
  const { rerender } = render(<Found words="f" find={find} />)
  rerender(<Found words="fog" find={find} />)
  await act(async () => asked[1]!.answer('about fog'))
  await act(async () => asked[0]!.answer('about f'))
  expect(shown()).toBe('about fog')
})

test('a failure can be tried again, and what was edited is shown', async () => {
  const { asked, find } = createSearch()
  render(<Found words="fog" find={find} />)
  await act(async () => asked[0]!.refuse())
  expect(shown()).toBe('null failed')
  await act(async () => screen.getByText('retry').click())
  expect(shown()).toBe('null loading')
  await act(async () => asked[1]!.answer('about fog'))
  expect(shown()).toBe('about fog')
  await act(async () => screen.getByText('edit').click())
  expect(shown()).toBe('edited')
})

test('a component that leaves the page cancels what it has asked for', () => {
  const { asked, find } = createSearch()
  const { unmount } = render(<Found words="fog" find={find} />)
  expect(asked[0]!.signal.aborted).toBe(false)
  unmount()
  expect(asked[0]!.signal.aborted).toBe(true)
})

test('the newest function is the one that is called', async () => {
  const first = createSearch()
  const second = createSearch()
  const { rerender } = render(<Found words="fog" find={first.find} />)
  rerender(<Found words="fog" find={second.find} />)
  await act(async () => screen.getByText('retry').click())
  expect([first.asked.length, second.asked.length]).toEqual([1, 1])
})
