/** A way for apps to reach the library. `setting`: the variable that turns it on, if it can be off. */
export type Way = { name: string; apps: readonly string[]; setting?: string }

/** The ways in the order in which they are offered; their texts are `apps-<name>` and so on. */
export const ways = {
  library: {
    name: 'library',
    apps: ['Audiobookshelf', 'ShelfPlayer', 'Plappa', 'SoundLeaf', 'Music Assistant'],
    setting: 'AUDIOBOOKSHELF_API=true',
  },
  gpodder: {
    name: 'gpodder',
    apps: ['AntennaPod', 'Kasts', 'gPodder', 'Music Assistant'],
    setting: 'GPODDER_INTEGRATION_ENABLED=true',
  },
  nextcloud: { name: 'nextcloud', apps: ['AntennaPod', 'Kasts', 'Cardo'], setting: 'GPODDER_INTEGRATION_ENABLED=true' },
  feeds: { name: 'feeds', apps: [] },
  assistants: { name: 'assistants', apps: ['Claude Code', 'Cursor', 'LM Studio'] },
} as const satisfies Record<string, Way>
