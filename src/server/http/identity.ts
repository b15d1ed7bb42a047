import { Elysia } from 'elysia'
import type { Context } from '../context'
import type { Role } from '../../shared/roles'
import { peerOf, serverUrlOf } from './server-url'

/** Who asks. */
export type Caller = {
  id: number
  uuid: string
  username: string
  role: Role
  explicitConsent: boolean
  createdAt: number
}

/** Who asks, and where they find us: every route below it has `user` and `base`. Open mode: everyone is the admin. */
export const identity = ({ admin, config }: Context) => {
  const user: Caller = {
    id: admin.id,
    uuid: admin.uuid,
    username: admin.username,
    role: admin.role,
    explicitConsent: admin.explicit_consent === 1,
    createdAt: admin.created_at,
  }
  return new Elysia({ name: 'identity', seed: config.dataFolder }).derive({ as: 'scoped' }, ({ request, server }) => ({
    user,
    base: serverUrlOf(request, peerOf(request, server), config),
  }))
}
