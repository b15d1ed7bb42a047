import { expect, test } from 'bun:test'
import { parseLenient } from '../../../src/server/platform/lenient-json'

test.each([
  ['JSON as it should be', '{"a":[1,"x"]}', { a: [1, 'x'] }],
  ['commas before the end', '{"a":[1,2, ],\n}', { a: [1, 2] }],
  ['comments', '{ // one, ]\n "a": /* two, } */ 1, /* three */ }', { a: 1 }],
  ['what looks like them within strings', '{"a":"1, ] // \\", }","b":[1,],}', { a: '1, ] // ", }', b: [1] }],
  ['what Python calls a number', '[NaN, -1, Infinity]', [null, -1, null]],
])('%s is parsed', (_, text, value) => {
  expect(parseLenient(text)).toEqual(value)
})

test.each(['', '{', '[1,,2]', '{"a" "b"}', '"a', '[1] x', '/* ', '[,]x'])('%p is no JSON', text => {
  expect(parseLenient(text)).toBeUndefined()
})
