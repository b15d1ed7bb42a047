import type { EpisodeWrapper } from '../../shared/api/episode'
import type { Queue, QueueAddition } from '../../shared/api/queue'
import type { Api } from '../api'
import { type Act, type Acts, type Args, createActs, LATER } from './acts'
import type { Later } from './outbox'

type Outbox = { send: (act: Act) => Promise<unknown>; flush: () => Promise<boolean> }
type Load = (api: Api, acts: Acts, late: Later) => Promise<Outbox>
const loadOutbox: Load = async (...needs) => (await import('./outbox')).createOutbox(...needs)

/**
 * The calls of the API, of which some are kept and sent in their order once the server can be reached: those resolve
 * with null then. `flush` sends what is kept, and resolves with whether something was sent.
 */
export function keepActs(api: Api, storage: Parameters<typeof createActs>[0], late: Later, load = loadOutbox) {
  const acts = createActs(storage)
  let outbox: Promise<Outbox> | null = null
  const open = () =>
    (outbox ??= load(api, acts, late).catch((error: unknown) => {
      outbox = null
      throw error
    }))
  /** Keeps the act before it is sent, also if the code that sends it can't be loaded. */
  function run(act: Act): Promise<unknown> {
    acts.add(act)
    return open().then(
      box => box.send(act),
      () => null,
    )
  }
  const about = () => ({ id: crypto.getRandomValues(new Uint32Array(2)).join('-'), at: new Date().toISOString() })
  return {
    acts,
    flush: async () => acts.list().length > 0 && (await open()).flush(),
    api: {
      ...api,
      episodes: {
        ...api.episodes,
        like: (...args: Args['like']) => run({ ...about(), kind: 'like', args }) as Promise<void>,
      },
      playback: {
        ...api.playback,
        /** Marks an episode as played or not. */
        mark: (...args: Args['mark']) => run({ ...about(), kind: 'mark', args }),
      },
      queue: {
        ...api.queue,
        add: (addition: QueueAddition, shown?: EpisodeWrapper) =>
          run({ ...about(), kind: 'queue', args: [addition], ...(shown && { shown }) }) as Promise<Queue | null>,
        async remove(id: string) {
          if (id.startsWith(LATER)) acts.remove(({ kind, args }) => kind === 'queue' && id === LATER + args[0].episode)
          else await run({ ...about(), kind: 'unqueue', args: [id] })
        },
      },
    },
  }
}
