import type { UserRow } from '../../../../store/users'
import type { ProgressOut } from './progress'

export type UserOut = ReturnType<typeof presentUser>

/** An account. `progress`: everything that it has begun or finished; `lastSeen` in milliseconds. */
export const presentUser = (user: UserRow, progress: readonly ProgressOut[], lastSeen: number) => ({
  id: user.uuid,
  username: user.username,
  email: null,
  type: user.role === 'admin' ? 'admin' : 'user',
  mediaProgress: progress,
  seriesHideFromContinueListening: [],
  bookmarks: [],
  isActive: true,
  isLocked: false,
  lastSeen,
  createdAt: user.created_at,
  permissions: {
    download: true,
    update: user.role === 'admin',
    delete: user.role === 'admin',
    upload: false,
    createEreader: false,
    accessAllLibraries: true,
    accessAllTags: true,
    accessExplicitContent: user.explicit_consent === 1,
    selectedTagsNotAccessible: false,
  },
  librariesAccessible: [],
  itemTagsSelected: [],
  hasOpenIDLink: user.subject !== null,
})
