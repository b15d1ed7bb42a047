import type { Context } from '../../../context'
import type { UserRow } from '../../../store/users'
import { presentProgress, type ProgressOut } from './shapes/progress'

/** Everything that a user has begun or finished and may see, the latest first. */
export const progressOf = ({ store }: Pick<Context, 'store'>, user: UserRow): ProgressOut[] =>
  store.playback.listProgress(user).map(row => presentProgress(row, user.uuid))

/** A user with all of their progress, without tokens. */
export const accountOf = (app: Pick<Context, 'store' | 'now'>, user: UserRow) =>
  presentUser(user, progressOf(app, user), app.now())

/** An account. `progress`: everything that it has begun or finished; `lastSeen` in milliseconds. */
const presentUser = (user: UserRow, progress: readonly ProgressOut[], lastSeen: number) => ({
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
