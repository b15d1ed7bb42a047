import { computed, effect, untracked, type ReadonlySignal } from '@preact/signals-core'
import type { Api } from '../api'
import type { Levelling } from './leveller'
import type { Player } from './player'

type Needs = {
  player: Pick<Player, 'current' | 'level'>
  api: Pick<Api['playback'], 'loudness' | 'saveLoudness'>
  /** Whether the listener wants it, and the browser can. */
  isOn: ReadonlySignal<boolean>
}

/** Levels the loudness of episodes by earlier measures, and keeps new ones. */
export function createLevelling({ player, api, isOn }: Needs) {
  /** The levelling of the episode that plays next. */
  let ahead: { eid: string; levelling: Levelling } | null = null
  const episode = computed(() => {
    const playing = player.current.value
    return isOn.value && playing && !playing.live ? playing.episode.episode_id : null
  })
  /** Finds nothing while the server can't be reached: a new measure would replace a better one. */
  async function find(eid: string): Promise<Levelling | null> {
    const answer = await api.loudness(eid).catch(() => null)
    const keep: Levelling['keep'] = measured => void api.saveLoudness(eid, measured).catch(() => undefined)
    return answer && { known: answer.measured, keep }
  }
  effect(() => {
    const eid = episode.value
    const ready = ahead?.eid === eid ? ahead.levelling : null
    ahead = null
    untracked(() => {
      player.level(ready)
      if (eid !== null && !ready) void find(eid).then(found => episode.peek() === eid && player.level(found))
    })
  })
  return {
    /** Asks for what is known of the episode that plays next. */
    async prepare(eid: string) {
      const levelling = isOn.peek() ? await find(eid) : null
      ahead = levelling && { eid, levelling }
    },
  }
}
