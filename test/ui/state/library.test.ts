import { expect, test } from 'bun:test'
import type { Podcast, Tag } from '../../../src/shared/api/podcast'
import { createLibrary, createTags } from '../../../src/ui/state/library'
import { createCalls, settled } from '../../support/settled'

const podcast = (id: string, rest: Partial<Podcast> = {}) =>
  ({
    id,
    name: id,
    favorites: false,
    tags: [],
    active: true,
    unlistened_count: 3,
    episode_count: 5,
    ...rest,
  }) as Podcast

/** A library of the podcasts, and a server that the test answers for. */
async function startLibrary(...podcasts: Podcast[]) {
  const list = createCalls<[], Podcast[]>()
  const favour = createCalls<[string, boolean], void>()
  const refresh = createCalls<[string], void>()
  const refreshAll = createCalls<[], void>()
  const unfavoured: string[] = []
  const library = createLibrary(
    {
      brief: list.call,
      favour: favour.call,
      refresh: refresh.call,
      refreshAll: refreshAll.call,
      add: async (name: string) => podcast(name),
      remove: async () => undefined,
      setActive: async (id: string, active: boolean) => podcast(id, { active }),
    } as never,
    ({ id }) => void unfavoured.push(id),
  )
  void library.load()
  await list.answer(podcasts)
  const ids = () => [...library.byId.value.keys()]
  return { library, list, favour, refresh, refreshAll, unfavoured, ids }
}

test('the library is loading, then ready; a failure can be tried again', async () => {
  const list = createCalls<[], Podcast[]>()
  const library = createLibrary({ brief: list.call } as never)
  expect(library.status.value).toBe('idle')
  void library.load()
  expect(library.status.value).toBe('loading')
  await list.refuse(new Error('down'))
  expect([library.status.value, library.error.value]).toEqual(['failed', new Error('down')])
  void library.load()
  await list.answer([])
  expect([library.status.value, library.isEmpty.value]).toEqual(['ready', true])
})

test('a reload that fails leaves the podcasts in sight', async () => {
  const { library, list, ids } = await startLibrary(podcast('fog'))
  void library.load()
  await list.refuse(new Error('down'))
  expect([library.status.value, ids()]).toEqual(['ready', ['fog']])
})

test('an older list that comes last is dropped', async () => {
  const { library, list, ids } = await startLibrary(podcast('fog'))
  void library.load()
  void library.load()
  await list.answer([podcast('new')], 2)
  await list.answer([podcast('old')], 1)
  expect(ids()).toEqual(['new'])
})

test('an event that comes while the list is on its way makes it ask again', async () => {
  const { library, list, ids } = await startLibrary(podcast('fog'))
  void library.load()
  library.merge(podcast('rain'))
  await list.answer([podcast('fog')])
  await list.answer([podcast('fog'), podcast('rain')])
  expect([list.calls.length, ids()]).toEqual([3, ['fog', 'rain']])
})

test('a library that changes all the time is shown after three attempts', async () => {
  const { library, list } = await startLibrary()
  void library.load()
  for (let attempt = 0; attempt < 5 && list.calls.length > attempt + 1; attempt++) {
    library.merge(podcast('fog'))
    await list.answer([podcast('fog')], attempt + 1)
  }
  expect(list.calls.length).toBe(4)
})

test("an event changes what everyone shares, and leaves what is the user's own", async () => {
  const tags = [{ id: 't' }] as Tag[]
  const { library } = await startLibrary(podcast('fog', { favorites: true, tags }))
  library.merge({ ...podcast('fog'), name: 'New', episode_count: 7, favorites: undefined, tags: undefined } as never)
  expect(library.byId.value.get('fog')).toMatchObject({ name: 'New', episode_count: 7, unlistened_count: 5 })
})

test('an event counts what is new to this person, and other events leave that count alone', async () => {
  const { library } = await startLibrary(podcast('fog'))
  library.merge(podcast('fog'), 2)
  library.merge({ ...podcast('fog'), episode_count: 9 })
  expect(library.byId.value.get('fog')).toMatchObject({ new_count: 2 })
  library.countNew('fog', 1)
  expect(library.byId.value.get('fog')).toMatchObject({ new_count: 1 })
  const { favorites: _, tags: __, ...shared } = podcast('rain')
  library.merge(shared as never)
  expect(library.byId.value.get('rain')).toMatchObject({ new_count: 0 })
})

test('a podcast that an event brings is nobody’s favourite, and not played at all', async () => {
  const { library } = await startLibrary()
  const { favorites: _, tags: __, ...shared } = podcast('rain')
  library.merge(shared as never)
  expect(library.byId.value.get('rain')).toMatchObject({ favorites: false, tags: [], unlistened_count: 5 })
})

test('a favourite is shown at once, and undone when the server refuses', async () => {
  const { library, favour, unfavoured } = await startLibrary(podcast('fog'))
  const isFavourite = () => library.byId.value.get('fog')!.favorites
  const attempt = library.favour('fog', true).catch((error: Error) => error.message)
  expect(isFavourite()).toBe(true)
  await favour.refuse(new Error('no'))
  expect([await attempt, isFavourite(), unfavoured]).toEqual(['no', false, []])
})

test('a podcast that is a favourite no longer is reported, once the server has taken it, and a new one never', async () => {
  const { library, favour, unfavoured } = await startLibrary(podcast('fog', { favorites: true }))
  void library.favour('fog', true)
  await favour.answer()
  void library.favour('fog', false)
  expect(unfavoured).toEqual([])
  await favour.answer()
  expect(unfavoured).toEqual(['fog'])
})

test('a podcast is refreshing until an event says that it is done', async () => {
  const { library, refresh } = await startLibrary(podcast('fog'))
  void library.refresh('fog')
  await refresh.answer()
  expect([...library.refreshing.value]).toEqual(['fog'])
  library.refreshed(podcast('fog', { name: 'Renamed' }))
  expect([library.refreshing.value.size, library.byId.value.get('fog')!.name]).toEqual([0, 'Renamed'])
})

test('a refresh that the server refuses ends at once', async () => {
  const { library, refresh } = await startLibrary(podcast('fog'))
  const attempt = library.refresh('fog').catch(() => 'refused')
  await refresh.refuse(new Error('no'))
  expect([await attempt, library.refreshing.value.size]).toEqual(['refused', 0])
})

test('a refresh of everything that the server refuses ends at once', async () => {
  const { library, refreshAll } = await startLibrary(podcast('fog'))
  const attempt = library.refreshAll().catch(() => 'refused')
  expect(library.refreshing.value.size).toBe(1)
  await refreshAll.refuse(new Error('no'))
  expect([await attempt, library.refreshing.value.size]).toEqual(['refused', 0])
})

test('a refresh of everything leaves out podcasts that are not active', async () => {
  const { library } = await startLibrary(podcast('fog'), podcast('rain', { active: false }))
  void library.refreshAll()
  expect([...library.refreshing.value]).toEqual(['fog'])
})

test('podcasts come, change and go as the server has confirmed it', async () => {
  const { library, ids } = await startLibrary(podcast('fog'))
  await library.add('rain')
  expect(ids()).toEqual(['fog', 'rain'])
  await library.setActive('rain', false)
  expect(library.byId.value.get('rain')!.active).toBe(false)
  await library.remove('fog', true)
  expect(ids()).toEqual(['rain'])
})

const tag = (id: string, name = id) => ({ id, name, color: 'Red' }) as Tag

/** The tags `b` and `d` of a library with one podcast. */
async function startTags() {
  const { library, list } = await startLibrary(podcast('fog'))
  const assign = createCalls<[string, string], void>()
  const tags = createTags({
    library,
    api: {
      list: async () => [tag('b'), tag('d')],
      create: async ({ name }: Tag) => tag(name),
      edit: async (id: string, { name }: Tag) => tag(id, name),
      remove: async () => undefined,
      assign: assign.call,
      unassign: assign.call,
    } as never,
  })
  await tags.load()
  const names = () => tags.all.value?.map(({ name }) => name).join('')
  return { tags, library, list, assign, names }
}

test('tags stand by name, also a new one and one with another name', async () => {
  const { tags, names } = await startTags()
  expect(names()).toBe('bd')
  await tags.create({ name: 'c' } as Tag)
  expect(names()).toBe('bcd')
  await tags.edit('b', { name: 'z' } as Tag)
  expect(names()).toBe('cdz')
})

test('a tag that changes or goes changes the podcasts that carry it', async () => {
  const { tags, names, list } = await startTags()
  await tags.edit('b', { name: 'x' } as Tag)
  expect(list.calls.length).toBe(2)
  await tags.remove('d')
  expect([names(), list.calls.length]).toEqual(['x', 3])
})

test('a tag is assigned at once, and taken off again when the server refuses', async () => {
  const { tags, library, assign } = await startTags()
  const carried = () => library.byId.value.get('fog')!.tags.map(({ id }) => id)
  const attempt = tags.assign(tag('b'), 'fog', true).catch((error: Error) => error.message)
  expect(carried()).toEqual(['b'])
  await assign.refuse(new Error('no'))
  expect([await attempt, carried()]).toEqual(['no', []])
})

test('a tag that is taken off comes back when the server refuses', async () => {
  const { tags, library, assign } = await startTags()
  void tags.assign(tag('b'), 'fog', true)
  await assign.answer()
  const attempt = tags.assign(tag('b'), 'fog', false).catch(() => 'refused')
  expect(library.byId.value.get('fog')!.tags).toEqual([])
  await assign.refuse(new Error('no'))
  expect([await attempt, library.byId.value.get('fog')!.tags.length]).toEqual(['refused', 1])
  await settled()
})
