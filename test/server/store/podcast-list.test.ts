import { expect, test } from 'bun:test'
import { Database } from 'bun:sqlite'
import { startRandom } from '../../support/random'
import { plantStore } from './plant'

function plantFiles() {
  const here = plantStore()
  const alice = here.user('alice')
  const { id } = here.podcast('Fog', alice.id)
  const file = (episodeId: number, size: number) =>
    here.store.episodes.keepFile(episodeId, {
      path: `f/${episodeId}`,
      size,
      type: 'audio/mpeg',
      duration: null,
      now: 1,
    })
  return { ...here, alice, id, file }
}

test('the list counts the files of a podcast and their bytes, as they come and go', () => {
  using here = plantFiles()
  const { store, alice, id, episode, file } = here
  const counts = () => {
    const { visible_files, visible_bytes } = store.podcasts.listFor(alice)[0]!
    return [visible_files, visible_bytes]
  }
  const [one, two] = [episode(id, 'One'), episode(id, 'Two')]
  expect(counts()).toEqual([0, 0])
  file(one.id, 300)
  file(two.id, 50)
  expect(counts()).toEqual([2, 350])
  file(two.id, 70)
  expect(counts()).toEqual([2, 370])
  store.episodes.dropFile(one.id)
  expect(counts()).toEqual([1, 70])

  using db = new Database(here.path)
  db.run('PRAGMA foreign_keys = ON')
  db.query('DELETE FROM episode WHERE id = ?').run(two.id)
  expect(counts()).toEqual([0, 0])
})

test('neither files nor titles of explicit episodes are told to those who do not want them', () => {
  using here = plantFiles()
  const { store, alice, id, episode, file } = here
  const bob = here.user('bob', { explicit_consent: 0 })
  file(episode(id, 'Tame').id, 300)
  file(episode(id, 'Wild', { explicit: 1 }).id, 50)
  expect(store.podcasts.listFor(alice)[0]).toMatchObject({ visible_files: 2, visible_bytes: 350, newest_title: 'Wild' })
  expect(store.podcasts.listFor(bob)[0]).toMatchObject({ visible_files: 1, visible_bytes: 300, newest_title: 'Tame' })
})

test('the title of the newest episode is right after any change, for everybody', () => {
  using here = plantFiles()
  const { store, alice, id, facts } = here
  const bob = here.user('bob', { explicit_consent: 0 })
  using db = new Database(here.path)
  db.run('PRAGMA foreign_keys = ON')
  const random = startRandom(26)
  const known = new Map<number, { title: string; publishedAt: number; explicit: number }>()
  const newest = (sees: (one: { explicit: number }) => boolean) =>
    [...known]
      .filter(([, one]) => sees(one))
      .toSorted(([idA, a], [idB, b]) => b.publishedAt - a.publishedAt || idB - idA)[0]?.[1].title ?? null

  for (let step = 0; step < 300; step++) {
    const one = { title: `Title ${step}`, publishedAt: random.between(1, 9), explicit: Number(random.chance(30)) }
    const some = known.size > 0 ? random.pick([...known.keys()]) : null
    if (some === null || random.chance(40)) {
      known.set(store.episodes.add(id, facts(one.title, { explicit: one.explicit }), one.publishedAt, 1), one)
    } else if (random.chance(50)) {
      db.query('DELETE FROM episode WHERE id = ?').run(some)
      known.delete(some)
    } else {
      const { title, publishedAt, explicit } = {
        ...known.get(some)!,
        ...(random.chance(50) ? one : { title: one.title }),
      }
      db.query('UPDATE episode SET title = ?, published_at = ?, explicit = ? WHERE id = ?').run(
        title,
        publishedAt,
        explicit,
        some,
      )
      known.set(some, { title, publishedAt, explicit })
    }
    expect(store.podcasts.listFor(alice)[0]!.newest_title).toBe(newest(() => true))
    expect(store.podcasts.listFor(bob)[0]!.newest_title).toBe(newest(({ explicit }) => explicit === 0))
  }
})

test('the list tells when somebody last played something of a podcast, finished or not', () => {
  using here = plantFiles()
  const { store, alice, id, episode, played } = here
  const bob = here.user('bob')
  const playedAt = () => store.podcasts.listFor(alice)[0]!.played_at
  const [one, two] = [episode(id, 'One'), episode(id, 'Two')]
  played(bob.id, one, 90)
  expect(playedAt()).toBeNull()
  played(alice.id, one, 20, 1)
  expect(playedAt()).toBe(20)
  played(alice.id, two, 30)
  expect(playedAt()).toBe(30)
  played(alice.id, one, 40, 1)
  expect(playedAt()).toBe(40)
})

test('podcasts are found by the titles that they have now, whoever wrote them', () => {
  using here = plantStore()
  const { store } = here
  const [alice, bob] = [here.user('alice'), here.user('bob', { explicit_consent: 0 })]
  const { id } = here.podcast('Fog', alice.id, { explicit: 1 })
  const found = (title: string) => store.podcasts.findByTitle(alice, [title], 9).map(row => row.title)
  expect(found('fog')).toEqual(['Fog'])
  expect(store.podcasts.findByTitle(bob, ['fog'], 9)).toEqual([])
  store.podcasts.rename(id, 'Rain')
  expect([found('fog'), found('rain')]).toEqual([[], ['Rain']])
  using other = new Database(here.path)
  other.query("UPDATE podcast SET title = 'Snow'").run()
  expect([found('rain'), found('snow')]).toEqual([[], ['Snow']])
})
