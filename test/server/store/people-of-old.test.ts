import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { migrations } from '../../../src/server/store/migrations'
import { openDatabase } from '../../../src/server/store/open'
import { temporaryFolder } from '../../support/app'

const before = migrations.findIndex(sql => sql.includes('CREATE TABLE person'))

test('a library of before has its people at once, its places as lists, and payments after the next check', () => {
  const path = join(temporaryFolder(), 'castellan.db')
  const old = new Database(path)
  for (const sql of migrations.slice(0, before)) old.run(sql)
  old.run(`PRAGMA user_version = ${before}`)
  const extras = JSON.stringify({
    persons: [{ name: 'Mara' }, { name: 'mara', img: 'https://h.example/m.png' }, { name: 'Jonas' }],
    location: 'Skagen',
    value: { recipients: [{ split: '1' }] },
  })
  old
    .query(
      `INSERT INTO podcast (id, uuid, feed_url, title, folder, extras, added_at, next_check_at, etag)
       VALUES (1, 'p1', 'https://h.example/1', 'One', 'One', ?, 0, 0, 'x'), (2, 'p2', 'https://h.example/2', 'Two', 'Two', '{}', 0, 0, 'y')`,
    )
    .run(extras)
  old
    .query(
      `INSERT INTO episode (id, uuid, eid, podcast_id, guid, title, enclosure_url, published_at, first_seen_at, digest, extras)
       VALUES (7, 'e7', 'f7', 2, 'g', 'Fog', 'https://h.example/f.mp3', 5, 5, 'd', ?),
              (8, 'e8', 'f8', 2, 'h', 'Rain', 'https://h.example/r.mp3', 6, 6, 'd', NULL)`,
    )
    .run(extras)
  old.close()

  const db = openDatabase(path)
  const all = (sql: string) => db.query(sql).values()
  expect(all('SELECT name FROM person ORDER BY name')).toEqual([['Jonas'], ['Mara']])
  expect(
    all(`SELECT n.name FROM person_index i JOIN person n ON n.id = i.rowid WHERE person_index MATCH '"jon"*'`),
  ).toEqual([['Jonas']])
  const credits = 'SELECT n.name, c.portrait FROM person n JOIN'
  expect(all(`${credits} podcast_person c ON c.person_id = n.id ORDER BY n.name`)).toEqual([
    ['Jonas', null],
    ['Mara', 1],
  ])
  expect(all(`${credits} episode_person c ON c.person_id = n.id ORDER BY n.name`)).toEqual([
    ['Jonas', null],
    ['Mara', 1],
  ])
  const places = '[{"name":"Skagen"}]'
  expect(
    all("SELECT extras ->> '$.locations', extras ->> '$.location', extras ->> '$.value' FROM episode WHERE id = 7"),
  ).toEqual([[places, null, null]])
  expect(all("SELECT extras ->> '$.locations', etag FROM podcast ORDER BY id")).toEqual([
    [places, null],
    [null, null],
  ])
  db.query('DELETE FROM episode WHERE id = 7').run()
  db.query('DELETE FROM podcast WHERE id = 1').run()
  expect(all('SELECT count(*) FROM person')).toEqual([[0]])
  db.close()
})
