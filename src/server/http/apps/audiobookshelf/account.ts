import type { Context } from '../../../context'
import type { UserRow } from '../../../store/users'
import { presentProgress, type ProgressOut } from './shapes/progress'
import { presentUser } from './shapes/user'

/** Everything that a user has begun or finished and may see, the latest first. */
export const progressOf = ({ store }: Pick<Context, 'store'>, user: UserRow): ProgressOut[] =>
  store.playback.listProgress(user).map(row => presentProgress(row, user.uuid))

/** A user with all of their progress, without tokens. */
export const accountOf = (app: Pick<Context, 'store' | 'now'>, user: UserRow) =>
  presentUser(user, progressOf(app, user), app.now())
