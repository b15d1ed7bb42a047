import { Type } from '@sinclair/typebox'
import type { Context } from '../../../../context'
import { notFound } from '../../../../platform/problem'
import type { Segment } from '../../../../store/documents'
import { Id, tool } from '../tool'
import { clock, linkTo } from '../write'

/** Characters of a passage as data; as text it is shorter. */
const MAX_PASSAGE = 24_000

/** A passage of a transcript, as long as one answer may be. */
export const readTranscript = ({ store, texts }: Context) =>
  tool(
    {
      name: 'read_transcript',
      title: 'Read a transcript',
      description:
        'Reads what is said in an episode around a moment, with times and speakers as far as they are known. The ' +
        'answer tells where it ends, so that reading can go on there.',
      properties: {
        episode_id: Id('The id of an episode that has a transcript'),
        at: Type.Optional(Type.Number({ minimum: 0, maximum: 1e6, default: 0, description: 'The moment, in seconds' })),
        before: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 1800, default: 15, description: 'Seconds to read before the moment' }),
        ),
        after: Type.Optional(
          Type.Integer({ minimum: 10, maximum: 3600, default: 180, description: 'Seconds to read from the moment on' }),
        ),
      },
    },
    async ({ user, base }, { episode_id, at, before, after }) => {
      const row = store.episodes.requireFor(user, episode_id)
      const document = await texts.transcriptOf(row)
      if (!document) throw notFound('transcript')
      const all = store.documents.segmentsOf(document.id)
      const { passage, isCut, next } = cutPassage(all, (at! - before!) * 1000, (at! + after!) * 1000)
      const start = startOf(passage[0])
      const data = {
        episode_id: row.uuid,
        title: row.title,
        language: document.language,
        segments: passage.map(present),
        continues_at: next,
        has_more: isCut,
        link: linkTo(base, row, start ?? undefined),
      }
      const more = !isCut
        ? 'The transcript ends here.'
        : next === null
          ? 'It continues, but has no times there: the rest cannot be read here.'
          : `It continues at ${next} seconds.`
      return { text: [`${row.title}, ${data.link}`, writePassage(passage), more].join('\n\n'), data }
    },
  )

const seconds = (ms: number | null) => (ms === null ? null : ms / 1000)
const present = ({ startMs, speaker, text }: Segment) => ({ start: seconds(startMs), speaker, text })
const startOf = (segment: Segment | undefined) => seconds(segment?.startMs ?? null)

/** The segments of a span, within the bounds of an answer; `next`: the second at which the next one begins. */
function cutPassage(all: readonly Segment[], fromMs: number, toMs: number) {
  // A transcript without times is read from its beginning.
  const first = all.findIndex(({ startMs, endMs }) => startMs === null || (endMs ?? startMs) >= fromMs)
  const passage: Segment[] = []
  let characters = 0
  for (const segment of first === -1 ? [] : all.slice(first)) {
    characters += JSON.stringify(present(segment)).length
    const isBeyond = segment.startMs !== null && segment.startMs >= toMs
    if (isBeyond || (characters > MAX_PASSAGE && passage.length > 0))
      return { passage, isCut: true, next: startOf(segment) }
    passage.push(segment)
  }
  return { passage, isCut: false, next: null }
}

/** A line for each segment, with its time, and its speaker where that changes. */
function writePassage(passage: readonly Segment[]): string {
  if (passage.length === 0) return 'Nothing is said there.'
  let last: string | null = null
  return passage
    .map(({ startMs, speaker, text }) => {
      const who = speaker !== null && speaker !== last ? `${speaker}: ` : ''
      last = speaker
      return `${startMs === null ? '' : `[${clock(startMs / 1000)}] `}${who}${text}`
    })
    .join('\n')
}
