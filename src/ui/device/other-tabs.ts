/** The time in which an open tab answers. */
const ANSWER_MS = 300

type Question = { ask: string }
type Answer = { signIn: string; login: string }
type Channel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'>
export type OtherTabs = ReturnType<typeof createOtherTabs>

/**
 * Shares the sign-in of a tab with other open tabs of this browser and origin, which session storage does not reach.
 */
export function createOtherTabs(channel: Channel, later = (work: () => void) => void setTimeout(work, ANSWER_MS)) {
  return {
    /** Answers other tabs. `find` returns what this tab keeps of a sign-in; null = nothing. */
    answer(find: (signIn: string) => string | null) {
      channel.addEventListener('message', ({ data }: MessageEvent<Question | Answer>) => {
        if (!('ask' in data)) return
        const login = find(data.ask)
        if (login !== null) channel.postMessage({ signIn: data.ask, login } satisfies Answer)
      })
    },
    /** Asks for a sign-in; null when no open tab has it. */
    ask: (signIn: string) =>
      new Promise<string | null>(resolve => {
        function end(login: string | null) {
          channel.removeEventListener('message', receive)
          resolve(login)
        }
        function receive({ data }: MessageEvent<Question | Answer>) {
          if ('login' in data && data.signIn === signIn) end(data.login)
        }
        channel.addEventListener('message', receive)
        channel.postMessage({ ask: signIn } satisfies Question)
        later(() => end(null))
      }),
  }
}
