import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCutter, readJson, type Wanted } from '../../../src/server/moving/json-stream'
import { MoveRefused } from '../../../src/server/moving/item'
import { temporaryFolder } from '../../support/app'

const wanted = { name: 'value', list: { '*': 'value' }, inner: { map: { '*': 'value' } } } as const

/** Reads a text in pieces of so many bytes. */
function read(text: string, piece = text.length || 1, of: Wanted = wanted) {
  const cutter = createCutter(of)
  const bytes = Buffer.from(text)
  const found: string[] = []
  for (let at = 0; at < bytes.length; at += piece)
    for (const { path, name, value } of cutter.push(Buffer.from(bytes.subarray(at, at + piece))))
      found.push(`${path} ${name} ${JSON.stringify(value)}`)
  cutter.end()
  return found
}

const document = `\uFEFF { "skipped" : {"list":[1,{"name":"]}\\""}]}, "name":"Zoë \\u00fc\\\\", "other":-1.5e3,
  "list" : [ 1 ,true,null, "a]b", {"x":[{}]} ,[[],"\\""]], "inner":{"no":[1],"map":{"http://a/?x=\\"1\\"":{"rate":2},"b":false}},
  "name" : 7 }\n`

test('wanted values are found, wherever the pieces of a file end', () => {
  const all = read(document)
  expect(all).toEqual(
    [
      'name name "Zoë ü\\\\"',
      'list other 1',
      'list other true',
      'list other null',
      'list other "a]b"',
      'list other {"x":[{}]}',
      'list other [[],"\\""]',
      'inner.map http://a/?x="1" {"rate":2}',
      'inner.map b false',
      'name name 7',
    ].map(line => line.replace('list other', 'list list')),
  )
  for (let piece = 1; piece < 40; piece++) expect(read(document, piece)).toEqual(all)
})

test('a file that is cut short is refused, and so is one that is not JSON', () => {
  const whole = document.trimEnd()
  for (let length = 1; length < whole.length; length++) expect(() => read(whole.slice(0, length))).toThrow(MoveRefused)
  for (const text of [
    '',
    '[1]',
    '"text"',
    '{"name":}',
    '{"name":1]',
    '{name:1}',
    '{"name" 1}',
    '{"name":1}}',
    '{"list":[1 2]}',
  ])
    expect(() => read(text), text).toThrow(MoveRefused)
})

test('what nobody wants may be as long and as deep as it likes; a wanted value may not', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const long = JSON.stringify('x'.repeat(5_000_000))
  expect(read(`{"other":${deep},"more":${long},"name":1}`)).toEqual(['name name 1'])
  expect(() => read(`{"name":${long}}`, 65_536)).toThrow('more than 4194304 bytes')
  expect(() => read(`{"__proto__":{"list":[1]},"constructor":{"name":2},"list":5,"inner":[1]}`)).not.toThrow()
})

test('a file is read in pieces', () => {
  const path = join(temporaryFolder(), 'long.json')
  const entries = Array.from({ length: 20_000 }, (_, number) => ({ number, text: 'Fog ü '.repeat(5) }))
  writeFileSync(path, JSON.stringify({ list: entries }))
  expect(
    readJson(path, wanted)
      .map(({ value }) => value)
      .toArray(),
  ).toEqual(entries)
})
