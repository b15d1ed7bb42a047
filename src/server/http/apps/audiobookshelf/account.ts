import type { Context } from '../../../context'
import type { UserRow } from '../../../store/users'
import { bookmarksOf } from './bookmarks'
import { presentProgress, type ProgressOut } from './shapes/session'

/** Everything that a user has begun or finished and may see, the latest first. */
export const progressOf = ({ store }: Pick<Context, 'store'>, user: UserRow): ProgressOut[] =>
  store.playback.listProgress(user).map(row => presentProgress(row, user.uuid))

/** A user with all of their progress and bookmarks, without tokens. */
export const accountOf = (app: Pick<Context, 'store' | 'now' | 'bookmarks'>, user: UserRow) => {
  const { id, username, email, type, ...rest } = accountHead(user, app.now())
  return { id, username, email, type, mediaProgress: progressOf(app, user), bookmarks: bookmarksOf(app, user), ...rest }
}

/** An account alone; `lastSeen` in milliseconds, null = never. */
export const accountHead = <Seen extends number | null>(user: UserRow, lastSeen: Seen) => ({
  id: user.uuid,
  username: user.username,
  email: null,
  type: user.role === 'admin' ? 'admin' : 'user',
  seriesHideFromContinueListening: [],
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
