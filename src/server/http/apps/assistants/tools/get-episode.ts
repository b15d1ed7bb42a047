import type { Context } from '../../../../context'
import { textOf } from '../../../../feeds/parse/notes-text'
import { Id, tool } from '../tool'
import { clock, cut, describeEpisode, episodeFacts, linkTo } from '../write'

const MAX_NOTES = 6000
const MAX_CHAPTERS = 100

/** One episode with its notes and chapters. */
export const getEpisode = ({ store, texts }: Context) =>
  tool(
    {
      name: 'get_episode',
      title: 'Show an episode',
      description:
        'Shows one episode: its show notes as text, its chapters with a link to each, and how far the person has ' +
        'played it. Its transcript comes from read_transcript.',
      properties: { episode_id: Id('The id of an episode') },
    },
    async ({ user, base }, args) => {
      const row = store.episodes.requireFor(user, args.episode_id)
      const facts = episodeFacts(row, store.podcasts.find(row.podcast_id)!.title, base)
      const notes = cut(textOf(row.notes), MAX_NOTES)
      const chapters = (await texts.chaptersOf(row)).slice(0, MAX_CHAPTERS).map(({ title, start_ms }) => ({
        title: cut(title, 200),
        start: start_ms / 1000,
        link: linkTo(base, row, start_ms / 1000),
      }))
      const text = [
        describeEpisode(facts),
        facts.has_transcript ? 'It has a transcript.' : 'It has no transcript.',
        ...(chapters.length > 0 ? ['Chapters:'] : []),
        ...chapters.map(({ title, start, link }) => `- ${clock(start)} ${title}, ${link}`),
        ...(notes ? ['Show notes:', notes] : []),
      ].join('\n')
      return { text, data: { ...facts, notes, chapters, publisher_link: row.link } }
    },
  )
