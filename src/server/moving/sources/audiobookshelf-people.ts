import type { ForeignDatabase, ForeignRow } from '../../store/foreign-database'
import type { Item } from '../item'
import { objectOf } from './json'
import { isTrue, text } from './values'

const admins = ['root', 'admin']

/** Reads the people of a server. One who is switched off there cannot sign in here either. */
export function* readPeople(db: ForeignDatabase): Generator<Item> {
  for (const row of db.rows('SELECT username, type, isActive, permissions, pash FROM users ORDER BY username')) {
    const name = text(row.username, 200)
    if (name !== null) yield { is: 'user', name, ...personOf(row) }
  }
}

function personOf({ type, isActive, permissions, pash }: ForeignRow) {
  const may = objectOf(permissions)
  const isOfAdmins = admins.some(one => one === type)
  // An uploader here may delete as well.
  const isUploader = type === 'user' && may.upload === true && may.delete === true
  const role = isOfAdmins ? ('admin' as const) : isUploader ? ('uploader' as const) : ('user' as const)
  const hash = isActive === null || isTrue(isActive) ? text(pash, 200) : null
  return {
    role,
    explicit: isOfAdmins || may.accessExplicitContent === true,
    password: hash === null ? null : { scheme: 'bcrypt' as const, hash },
  }
}
