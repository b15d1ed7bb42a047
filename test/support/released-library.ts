/** The library that `scripts/record-library.ts` lets each released version make. */
export const planted = {
  podcast: 'Fog on the Coast',
  episodes: ['The lamp', 'The ferry', 'The keeper'],
  notes: 'Told by the harbour master',
  position: 42,
  tag: 'Sea',
  playlist: 'For the ferry',
  bookmark: 'The horn',
}

export const mara = { username: 'mara', password: 'Corr3ctHorse' }

/** The configuration of its admin. */
export const admin = { BASIC_AUTH: 'true', USERNAME: 'root', PASSWORD: 'Sup3rSecret' }
