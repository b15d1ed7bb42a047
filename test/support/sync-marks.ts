import { expect } from 'bun:test'
import { appAt } from './audiobookshelf-app'
import type { TestApp } from './app'
import type { Random } from './random'

type Needs = {
  server: () => TestApp
  password: string
  /** The app's password, which it sends with each call. */
  token: string
  /** The podcasts of the library, each with the ids of its episodes. */
  podcasts: () => readonly { id: string; episodes: readonly string[] }[]
  overNetwork: (deliver: () => Promise<void>) => () => Promise<void>
  note: (text: string) => void
}

/** A bookmark as both sides see it: apps know no episode. */
type Mark = { podcast: string; time: number; title: string }

/** Few, so that both sides often mean the same one. */
const TIMES = 4

/** Bookmarks of one user, made and removed in an app of Audiobookshelf and in the browser: one list. */
export function startMarks({ server, password, token, podcasts, overNetwork, note }: Needs) {
  const app = () => appAt(server(), token)
  const browser = () => server().as('root', password).bookmarks
  /** The first made first. */
  const marks: Mark[] = []
  const latest = (podcast: string, time: number) =>
    marks.findLastIndex(mark => mark.podcast === podcast && mark.time === time)
  let count = 0

  return {
    async act(random: Random) {
      const { id: podcast, episodes } = random.pick(podcasts())
      const time = random.below(TIMES)
      const title = `mark ${count++}`
      const path = `/api/me/item/${podcast}/bookmark`
      const acts = {
        async make() {
          expect((await app().post(path, { time: time + 0.5, title })).json).toMatchObject({ time, title })
          const known = latest(podcast, time)
          if (known === -1) marks.push({ podcast, time, title })
          else marks[known]!.title = title
        },
        async drop() {
          const known = latest(podcast, time)
          expect((await app().delete(`${path}/${time}`)).status).toBe(known === -1 ? 404 : 200)
          if (known !== -1) marks.splice(known, 1)
        },
        async makeHere() {
          await browser().add({ episode: random.pick(episodes), time, note: title })
          marks.push({ podcast, time, title })
        },
        async dropHere() {
          if (marks.length === 0) return
          const place = random.below(marks.length)
          const all = await browser().list()
          await browser().remove(all[marks.length - 1 - place]!.id)
          marks.splice(place, 1)
        },
      }
      const act = random.weighted({ make: 4, drop: 2, makeHere: 3, dropHere: 2 })
      note(`bookmark ${act} ${podcast} ${time} ${title}`)
      await (act === 'make' || act === 'drop' ? overNetwork(acts[act])() : acts[act]())
    },

    /** Both sides have what was made and not removed; of two at the same second of a podcast, an app has the latest. */
    async check() {
      const ofEpisode = new Map(podcasts().flatMap(({ id, episodes }) => episodes.map(episode => [episode, id])))
      const here = (await browser().list()).map(({ episode, time, note }) => [ofEpisode.get(episode), time, note])
      expect(here.toReversed()).toEqual(marks.map(({ podcast, time, title }) => [podcast, time, title]))
      const there = (await app().get('/api/me/bookmarks')).json.bookmarks as {
        libraryItemId: string
        time: number
        title: string
      }[]
      const shown = marks.filter((mark, at) => latest(mark.podcast, mark.time) === at)
      expect(there.map(({ libraryItemId, time, title }) => [libraryItemId, time, title])).toEqual(
        shown.map(({ podcast, time, title }) => [podcast, time, title]),
      )
    },
  }
}
