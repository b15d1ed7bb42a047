import { waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'bun:test'
import { watchArrivals, type Arrival } from '../../../src/ui/library/podcasts/add-anywhere'

let end = () => undefined as void
afterEach(() => {
  end()
  document.body.innerHTML = ''
})

function watch() {
  const arrived: Arrival[] = []
  const hovers: boolean[] = []
  end = watchArrivals(document, { onArrival: one => arrived.push(one), onHover: isOver => hovers.push(isOver) })
  return { arrived, hovers }
}

type Data = { files?: File[]; text?: string; uri?: string }
function send(type: string, { files = [], text = '', uri = '' }: Data, target: Element = document.body) {
  const data = {
    files,
    types: [...(files.length > 0 ? ['Files'] : []), ...(uri ? ['text/uri-list'] : []), ...(text ? ['text/plain'] : [])],
    getData: (kind: string) => (kind === 'text/uri-list' ? uri : text),
  }
  const event = new Event(type, { bubbles: true, cancelable: true })
  Object.assign(event, { clipboardData: data, dataTransfer: data })
  target.dispatchEvent(event)
  return event.defaultPrevented
}
const opml = '<?xml version="1.0"?><opml version="2.0"><body/></opml>'

test('an address or a list of feeds that is pasted on the page arrives, other text does not', () => {
  const { arrived } = watch()
  expect(send('paste', { text: ' https://a.example/feed ' })).toBe(true)
  expect(send('paste', { text: opml })).toBe(true)
  for (const text of ['fog', 'a.example', 'https://a.example and more', 'javascript:alert(1)', '<html>'])
    expect([text, send('paste', { text })]).toEqual([text, false])
  expect(arrived).toEqual([{ address: 'https://a.example/feed' }, { list: { content: opml } }])
})

test('what is pasted into a field, or while a dialog is open, stays there', () => {
  const { arrived } = watch()
  document.body.innerHTML = '<input><p></p>'
  send('paste', { text: 'https://a.example' }, document.querySelector('input')!)
  document.body.innerHTML = '<dialog open></dialog>'
  send('paste', { text: 'https://a.example' })
  expect(arrived).toEqual([])
})

test('a file that is dropped is read, and the page tells while it hovers', async () => {
  const { arrived, hovers } = watch()
  const data = { files: [new File([opml], 'list.opml')] }
  send('dragenter', data)
  send('dragenter', data)
  send('dragleave', data)
  expect(send('dragover', data)).toBe(true)
  expect(send('drop', data)).toBe(true)
  await waitFor(() => expect(arrived).not.toEqual([]))
  expect(hovers).toEqual([true, true, true, false])
  expect(arrived).toEqual([{ list: { content: opml } }])
  send('drop', { uri: 'https://a.example/feed\r\nhttps://b.example' })
  expect(arrived.at(-1)).toEqual({ address: 'https://a.example/feed' })
})

test('what the page itself lets drag, and plain text, cannot be dropped', () => {
  const { arrived, hovers } = watch()
  send('dragstart', {})
  expect(send('drop', { uri: 'https://a.example' })).toBe(false)
  send('dragend', {})
  expect(send('drop', { text: 'https://a.example' })).toBe(false)
  expect([arrived, hovers]).toEqual([[], []])
})

test('a file that is no list of feeds arrives as it is', async () => {
  const { arrived } = watch()
  const database = new File(['SQLite format 3\0'], 'Database')
  send('drop', { files: [database] })
  const list = new File([`  ${opml}`], 'subscriptions')
  send('drop', { files: [list] })
  await waitFor(() => expect(arrived).toHaveLength(2))
  expect(arrived).toEqual([{ file: database }, { list: { content: `  ${opml}` } }])
})

test('a list of feeds in another charset arrives as its bytes', async () => {
  const { arrived } = watch()
  const texts = [Buffer.from(`\uFEFF${opml}`, 'utf16le'), Buffer.from(opml, 'utf16le'), Buffer.from([0x3c, 0xe9])]
  for (const [index, bytes] of texts.entries()) {
    send('drop', { files: [new File([new Uint8Array(bytes)], 'list.opml')] })
    await waitFor(() => expect(arrived).toHaveLength(index + 1))
    expect(arrived.at(-1)).toEqual({ list: { bytes: bytes.toString('base64') } })
  }
})
