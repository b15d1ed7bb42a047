import type { TestApp } from './app'

/** Notes a public clip of a user, without its file; gives its id. */
export function addClip({ context: { store } }: TestApp, user_id: number, episode_id: number): string {
  const uuid = crypto.randomUUID()
  const code = uuid.replaceAll('-', '').slice(0, 22)
  const span = { start_ms: 0, end_ms: 2000, created_at: 1, ends_at: 4e12 }
  store.clips.add({ uuid, code, user_id, episode_id, title: 'Hers', quote: '', file_type: 'audio/mpeg', ...span })
  return uuid
}
