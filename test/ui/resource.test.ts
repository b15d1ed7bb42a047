import { expect, test } from 'bun:test'
import { ApiError } from '../../src/ui/api/client'
import { createResource } from '../../src/ui/resource'

/** Calls that the test answers in its own order, and the signals that they came with. */
function createServer() {
  const calls: {
    words: string
    signal: AbortSignal
    answer: (text: string) => void
    refuse: (reason: Error) => void
  }[] = []
  const load = (signal: AbortSignal, words: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    calls.push({ words, signal, answer: resolve, refuse: reject })
    return promise
  }
  return { calls, load }
}

/** A debounce that ends when the test says so. */
function createPauses() {
  const waiting = new Set<() => void>()
  return {
    waiting,
    later(work: () => void) {
      waiting.add(work)
      return () => void waiting.delete(work)
    },
    async end() {
      for (const work of waiting) work()
      await settled()
    },
  }
}

/** Everything that could go on has gone on. */
const settled = () => new Promise(setImmediate)

test('nothing is there before the first load, and its answer is there after it', async () => {
  const { calls, load } = createServer()
  const resource = createResource(load)
  expect([resource.data.value, resource.error.value, resource.isLoading.value]).toEqual([null, null, false])
  const loading = resource.load('fog')
  expect(resource.isLoading.value).toBe(true)
  calls[0]!.answer('about fog')
  await loading
  expect([resource.data.value, resource.error.value, resource.isLoading.value]).toEqual(['about fog', null, false])
})

test('the answer of an overtaken load never counts, though it comes last', async () => {
  const { calls, load } = createServer()
  const resource = createResource(load)
  const loads = [resource.load('f'), resource.load('fog')]
  expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false])
  calls[1]!.answer('about fog')
  await settled()
  calls[0]!.answer('about f')
  await Promise.all(loads)
  expect([resource.data.value, resource.isLoading.value]).toEqual(['about fog', false])
})

test('the failure of an overtaken load is nobody’s business, and ends no waiting', async () => {
  const { calls, load } = createServer()
  const resource = createResource(load)
  void resource.load('f')
  void resource.load('fog')
  calls[0]!.refuse(new Error('cancelled'))
  await settled()
  expect([resource.error.value, resource.isLoading.value]).toEqual([null, true])
})

test('a failed load keeps the older data beside its error until a retry of the same load succeeds', async () => {
  const { calls, load } = createServer()
  const resource = createResource(load)
  void resource.load('fog')
  calls[0]!.answer('about fog')
  await settled()
  void resource.load('rain')
  expect(resource.isStale.value).toBe(true)
  const down = new Error('down')
  calls[1]!.refuse(down)
  await settled()
  expect([resource.data.value, resource.error.value, resource.isStale.value]).toEqual(['about fog', down, true])
  void resource.retry()
  expect([resource.error.value, calls[2]!.words]).toEqual([down, 'rain'])
  calls[2]!.answer('about rain')
  await settled()
  expect([resource.data.value, resource.error.value, resource.isStale.value]).toEqual(['about rain', null, false])
})

test('a load that throws before its request fails like any other', async () => {
  const resource = createResource(() => {
    throw new Error('no')
  })
  await resource.load()
  expect(resource.error.value).toEqual(new Error('no'))
  expect(resource.isLoading.value).toBe(false)
})

test('a debounced load asks once, for the last, when nothing more comes', async () => {
  const { calls, load } = createServer()
  const pauses = createPauses()
  const resource = createResource(load, { debounceMs: 100, later: pauses.later })
  for (const words of ['f', 'fo', 'fog']) void resource.load(words)
  await settled()
  expect([resource.isLoading.value, calls.length, pauses.waiting.size]).toEqual([true, 0, 1])
  await pauses.end()
  expect(calls.map(({ words }) => words)).toEqual(['fog'])
})

test('an error stays in sight until the debounce is over, and trying again waits for nothing', async () => {
  const { calls, load } = createServer()
  const pauses = createPauses()
  const resource = createResource(load, { debounceMs: 100, later: pauses.later })
  void resource.load('fog')
  await pauses.end()
  calls[0]!.refuse(new Error('down'))
  await settled()
  void resource.load('rain')
  expect(resource.error.value).toEqual(new Error('down'))
  await pauses.end()
  expect(resource.error.value).toBe(null)
  void resource.retry()
  expect(calls.map(({ words }) => words)).toEqual(['fog', 'rain', 'rain'])
})

test('leaving cancels: the request is aborted, its answer is dropped, and a debounce asks for nothing', async () => {
  const { calls, load } = createServer()
  const resource = createResource(load)
  void resource.load('fog')
  resource.cancel()
  expect([calls[0]!.signal.aborted, resource.isLoading.value]).toEqual([true, false])
  calls[0]!.answer('about fog')
  await settled()
  expect(resource.data.value).toBe(null)

  const pauses = createPauses()
  const debounced = createResource(load, { debounceMs: 100, later: pauses.later })
  void debounced.load('fog')
  debounced.cancel()
  await pauses.end()
  expect([calls.length, pauses.waiting.size]).toEqual([1, 0])
})

test('what was set is newer than what is under way; a change of a part lets it come', async () => {
  const { calls, load } = createServer()
  const resource = createResource(load)
  resource.change(text => `${text}!`)
  expect(resource.data.value).toBe(null)
  void resource.load('fog')
  resource.set('of mine')
  calls[0]!.answer('about fog')
  await settled()
  expect([resource.data.value, resource.isLoading.value]).toEqual(['of mine', false])
  void resource.load('fog')
  resource.change(text => `${text}!`)
  expect(resource.data.value).toBe('of mine!')
  calls[1]!.answer('about fog')
  await settled()
  expect(resource.data.value).toBe('about fog')
})

test('what no server answered is loaded again when one is there, unless the page has left or loaded something else', async () => {
  const { calls, load } = createServer()
  const back = Promise.withResolvers<void>()
  const away = () => new ApiError(0, 'offline', 'away', {}, back.promise)
  const [shown, left, changed] = [createResource(load), createResource(load), createResource(load)]
  for (const resource of [shown, left, changed]) void resource.load('fog')
  for (const call of calls) call.refuse(away())
  await settled()
  left.cancel()
  void changed.load('rain')
  back.resolve()
  await settled()
  expect(calls.map(({ words }) => words)).toEqual(['fog', 'fog', 'fog', 'rain', 'fog'])
  calls[4]!.answer('about fog')
  await settled()
  expect([shown.data.value, shown.error.value]).toEqual(['about fog', null])
})
