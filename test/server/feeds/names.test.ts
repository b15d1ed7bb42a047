import { expect, test } from 'bun:test'
import { createNames } from '../../../src/server/feeds/parse/names'
import { readElement } from '../../../src/server/feeds/parse/xml'

test('names that are remembered under the same number stay apart', () => {
  const names = createNames()
  const read = () => readElement('<item><Aa BB="1" Aa="2">3</Aa><BB Aa="4">5</BB></item>', names)?.node
  const expected = { aa: { '@bb': '1', '@aa': '2', '#text': '3' }, bb: { '@aa': '4', '#text': '5' } }
  expect(read()).toEqual(expected)
  expect(read()).toEqual(expected)
})

test('a prefix that is declared later in the document changes the names that follow', () => {
  const names = createNames()
  const read = (source: string) => readElement(source, names)?.node
  expect(read('<item><p:person>a</p:person></item>')).toEqual({ 'p:person': 'a' })
  expect(read('<item xmlns:p="https://podcastindex.org/namespace/1.0"><p:person>a</p:person></item>')).toMatchObject({
    'podcast:person': 'a',
  })
})
