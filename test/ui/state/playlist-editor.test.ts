import { expect, test } from 'bun:test'
import type { Playlist, SmartRules } from '../../../src/shared/api/playlist'
import { createPlaylistEditor, type PlaylistItem } from '../../../src/ui/state/playlist-editor'
import { moved } from '../../../src/ui/state/queue'

const item = (id: string) => ({ id, name: id }) as PlaylistItem
const playlist = (id: string, name: string, episodes: string) =>
  ({ id, name, items: [...episodes].map(name => ({ podcastEpisode: item(name) })) }) as unknown as Playlist

function start() {
  const sent: string[] = []
  const server = { isDown: false }
  const send = (what: string) => (edit: { name: string; items: { episode: string }[] }) => {
    if (server.isDown) return Promise.reject(new Error('down'))
    sent.push(`${what} ${edit.name}: ${edit.items.map(({ episode }) => episode).join('')}`)
    return Promise.resolve({} as Playlist)
  }
  const editor = createPlaylistEditor({
    create: send('create'),
    replace: (id: string, edit: never) => send(`replace ${id}`)(edit),
  } as never)
  const items = () => editor.items.value.map(({ id }) => id).join('')
  return { editor, sent, server, items }
}

test('a new playlist is named, filled and created', async () => {
  const { editor, sent } = start()
  editor.begin(null)
  expect([editor.isOpen.value, editor.isNew.value, editor.canContinue.value]).toEqual([true, true, false])
  editor.rename(' Evening ')
  editor.next()
  editor.add(item('a'))
  editor.add(item('b'))
  editor.add(item('a'))
  editor.next()
  expect([editor.step.value, editor.canContinue.value]).toEqual([2, false])
  await editor.submit()
  expect([sent, editor.isOpen.value, editor.name.value]).toEqual([['create Evening: ab'], false, ''])
})

test('a playlist without a name goes no further, and the first step has none before it', () => {
  const { editor } = start()
  editor.begin(null)
  editor.rename('   ')
  editor.next()
  expect(editor.step.value).toBe(0)
  editor.back()
  expect(editor.step.value).toBe(0)
  editor.rename('Evening')
  editor.next()
  editor.back()
  expect(editor.step.value).toBe(0)
})

test('a playlist that exists is replaced, in its new order', async () => {
  const { editor, sent, items } = start()
  editor.begin(playlist('p', 'Evening', 'abc'))
  expect([editor.isNew.value, editor.name.value, items()]).toEqual([false, 'Evening', 'abc'])
  editor.move(0, 2)
  editor.remove('b')
  expect([items(), editor.has('a'), editor.has('b')]).toEqual(['ca', true, false])
  await editor.submit()
  expect(sent).toEqual(['replace p Evening: ca'])
})

test('a description is edited with the playlist, and an empty one counts as none', async () => {
  const sent: unknown[] = []
  const keep = async (edit: object) => void sent.push(edit)
  const editor = createPlaylistEditor({ create: keep, replace: (_: string, edit: object) => keep(edit) } as never)
  editor.begin({ ...playlist('p', 'Evening', ''), description: 'For the way' })
  expect(editor.about.value).toBe('For the way')
  editor.describe('  ')
  await editor.submit()
  editor.begin(null)
  expect(editor.about.value).toBe('')
  editor.rename('Night')
  editor.describe(' Before sleep ')
  await editor.submit()
  expect(sent).toMatchObject([{ description: null }, { description: 'Before sleep' }])
})

test('a draft is there again after closing, until another playlist is begun', () => {
  const { editor, items } = start()
  editor.begin(playlist('p', 'Evening', 'abc'))
  editor.next()
  editor.remove('a')
  editor.close()
  editor.begin(playlist('p', 'Evening', 'abc'))
  expect([items(), editor.step.value]).toEqual(['bc', 1])
  editor.begin(playlist('q', 'Morning', 'x'))
  expect([items(), editor.step.value]).toEqual(['x', 0])
})

test('a new playlist with an episode drops an earlier draft', () => {
  const { editor, items } = start()
  editor.begin(playlist('p', 'Evening', 'abc'))
  editor.beginWith([item('x')])
  expect([items(), editor.isNew.value, editor.name.value, editor.isOpen.value]).toEqual(['x', true, '', true])
})

test('a draft that the server does not take stays', async () => {
  const { editor, server, items } = start()
  editor.begin(playlist('p', 'Evening', 'abc'))
  server.isDown = true
  expect(await editor.submit().catch(() => 'failed')).toBe('failed')
  expect([editor.isOpen.value, items()]).toEqual([true, 'abc'])
})

test('an item moves to another place, and the list that it comes from stays as it is', () => {
  const letters = ['a', 'b', 'c']
  expect([moved(letters, 0, 2), moved(letters, 2, 0), letters]).toEqual([
    ['b', 'c', 'a'],
    ['c', 'a', 'b'],
    ['a', 'b', 'c'],
  ])
})

test('a draft that changes its kind keeps what was chosen for the other one, until another draft begins', () => {
  const { editor, items } = start()
  const [first, edited] = [{ rules: [] }, { rules: [{}] }] as unknown as [SmartRules, SmartRules]
  editor.begin(null)
  editor.add(item('a'))
  editor.setKind(first)
  expect(editor.rules.value).toBe(first)
  editor.setRules(edited)
  editor.setKind(null)
  editor.setKind(null)
  expect([editor.rules.value, items()]).toEqual([null, 'a'])
  editor.setKind(first)
  expect(editor.rules.value).toBe(edited)
  editor.setKind(null)
  editor.beginWith([])
  editor.setKind(first)
  expect(editor.rules.value).toBe(first)
})
