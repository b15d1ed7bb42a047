import type { Client } from '../api/client'
import { destinationsApi } from '../api/administration'
import { followOpenedNotices } from '../device/opened-notice'
import { createPushDevice } from '../device/push'
import { createPush, forgetPush } from './push'

/** A push service that does not answer must not keep a person from signing out. */
const PATIENCE_MS = 2000

type Needs = { client: Client; prefix: string; owner: string }

/** Keeps the destination that this browser is up to date, and opens what its notifications are about. */
export async function followPush({ client, prefix, owner }: Needs) {
  followOpenedNotices(prefix)
  const api = destinationsApi(client)
  await createPush({ api, device: createPushDevice(), storage: localStorage, owner }).follow()
}

/** Ends the messages to this browser for a user who leaves it. */
export async function leavePush() {
  const leaving = forgetPush({ device: createPushDevice(), storage: localStorage })
  await Promise.race([leaving.catch(() => undefined), new Promise(resolve => setTimeout(resolve, PATIENCE_MS))])
}
