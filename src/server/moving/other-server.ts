import type { Secret } from '../platform/secret'
import type { Store } from '../store'
import type { MoveRow } from '../store/moves'
import { MoveRefused } from './item'
import type { FileOptions } from './needs'
import type { ServerLogin } from './servers'

type Needs = { secret: Pick<Secret, 'seal' | 'open'>; store: Pick<Store, 'users'> }

/** The files of a move, if another Castellan sends them. */
export const fetchedFiles: FileOptions = { folders: [], way: 'fetched' }

/** The name of a move from a server. */
export const hostOf = ({ address }: Pick<ServerLogin, 'address'>) => (URL.parse(address)?.host ?? address).slice(0, 255)

export const sealLogin = ({ secret }: Pick<Needs, 'secret'>, login: ServerLogin) => secret.seal(JSON.stringify(login))

/** The login at the server of a move, for its user as they are now; null if there is none. Throws `MoveRefused`. */
export function loginOf({ secret, store }: Needs, move: MoveRow): ServerLogin | null {
  if (move.server === null) return null
  try {
    const login = JSON.parse(secret.open(move.server)) as ServerLogin
    return { ...login, isAdmin: login.isAdmin || store.users.find(move.user_id)?.role === 'admin' }
  } catch {
    throw new MoveRefused('move-copy-lost', 'The password of the other server can no longer be read. Enter it again.')
  }
}

/** The choices for the files of a move; null = they stay with the other program. */
export const filesOf = ({ files }: Pick<MoveRow, 'files'>) =>
  files === null ? null : (JSON.parse(files) as FileOptions)
