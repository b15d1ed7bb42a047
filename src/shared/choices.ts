// Lists of values that the wire, the server and the pages share, each in the order in which it is offered. The schemas
// of `api/` are made from them; pages import them from here, since importing a schema would also import the library
// that checks it.

export const tagColors = ['Red', 'Green', 'Blue'] as const

export const episodeTypes = ['full', 'trailer', 'bonus'] as const

export const downloadStates = ['queued', 'running', 'waiting', 'paused', 'failed', 'done'] as const

export const transcriptionStates = ['queued', 'running', 'waiting', 'failed', 'done'] as const

/** States of an announced live stream. */
export const liveStates = ['pending', 'live', 'ended'] as const

/** The form of an episode to prefer if its feed offers several. */
export const preferredForms = ['smallest', 'audio', 'video'] as const

/** Choices of what plays when the queue has ended; `playlist`: the one in which playing began. */
export const continuations = ['nothing', 'podcast', 'playlist', 'newest'] as const

/** The end of the queue at which new episodes of a podcast are added automatically. */
export const queuePlaces = ['front', 'end'] as const

/** The action of the "next" key of headphones, keyboards and lock screens. */
export const nextKeys = ['episode', 'forward'] as const
export type NextKey = (typeof nextKeys)[number]

/** The place in the queue for an episode that a person adds. */
export const queueTurns = ['next', 'last'] as const

/** The lists of a user's own episodes. */
export const yourLists = ['liked', 'bookmarked', 'in-progress', 'downloaded', 'history'] as const
export type YourList = (typeof yourLists)[number]

/** `podcast`: by the podcast's name, then newest first; `played`: what was played last first, then newest first. */
export const smartOrders = ['newest', 'oldest', 'shortest', 'longest', 'podcast', 'played'] as const

/** Short for the walk, almost finished, quiet before sleep. */
export const suggestionKinds = ['walk', 'almost', 'sleep'] as const

export const playedStates = ['unplayed', 'started', 'finished'] as const

export const searchFields = ['podcasts', 'people', 'titles', 'notes', 'chapters', 'transcripts'] as const

/** Replacements of characters that a file name can't have. */
export const replacementStrategies = ['replace-with-dash', 'replace-with-dash-and-underscore', 'remove'] as const

/** Whether a podcast has its own setting. */
export const settingModes = ['inherit', 'on', 'off'] as const

/** The occasions on which a backup is made. */
export const backupKinds = ['scheduled', 'manual', 'before-update', 'before-restore'] as const

/** Types of podcast apps that sync. */
export const deviceTypes = ['desktop', 'laptop', 'mobile', 'server', 'other'] as const

/** News of which a destination may be notified. */
export const newsTypes = [
  'newEpisodes',
  'liveStarted',
  'downloadFinished',
  'downloadFailed',
  'feedFailing',
  'signedInElsewhere',
  'accountAttacked',
] as const
export const newsForAdmins = ['diskFull', 'backupFailed'] as const

export const roles = ['admin', 'user', 'uploader'] as const
export type Role = (typeof roles)[number]
