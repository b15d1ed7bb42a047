import type { DestinationRequest, NewDestination, PushSubscriptionKeys } from '../../shared/api/notification'
import { type AdministrationApi, destinationsApi } from '../api/administration'
import type { Client } from '../api/client'
import { createPushDevice, followOpenedNotices, type PushDevice } from '../device/push'

/** The record that this browser keeps of its destination. */
type PushRecord = { id: string; endpoint: string; owner: string }

/** `app-state.ts` loads this code if there is such an entry. */
const KEY = 'push'

type Needs = {
  api: Pick<AdministrationApi['destinations'], 'list' | 'pushKey' | 'create' | 'edit'>
  device: Pick<PushDevice, 'isAllowed' | 'ask' | 'current' | 'subscribe' | 'unsubscribe'>
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** Id of the signed-in user; empty in open mode. */
  owner: string
}

/** This browser as a destination of push messages. */
export function createPush(needs: Needs) {
  const { api, device, storage, owner } = needs
  const keep = (id: string, { endpoint }: PushSubscriptionKeys) =>
    storage.setItem(KEY, JSON.stringify({ id, endpoint, owner } satisfies PushRecord))

  return {
    /** Id of the destination that this browser is; null = none. */
    id: () => readRecord(storage)?.id ?? null,
    /** Subscribes and adds this browser. Throws `PushRefused`. */
    async add(request: Omit<DestinationRequest, 'kind' | 'subscription'>): Promise<NewDestination> {
      await device.ask()
      const subscription = await device.subscribe(await api.pushKey())
      const made = await api.create({ ...request, kind: 'push', subscription })
      keep(made.id, subscription)
      return made
    },
    /** Subscribes again, for a destination whose push service has forgotten this browser. Throws `PushRefused`. */
    async renew(id: string) {
      await device.ask()
      const subscription = await device.subscribe(await api.pushKey())
      const edited = await api.edit(id, { subscription })
      keep(id, subscription)
      return edited
    },
    /**
     * Informs the server of a subscription that the browser has renewed, makes a new one if it was lost or its push
     * service has forgotten it, and ends one of another user or of a destination that was deleted, here or elsewhere.
     */
    async follow() {
      const record = readRecord(storage)
      if (!record) return
      if (record.owner !== owner) return forgetPush(needs)
      if (!device.isAllowed()) return
      const [serverKey, destinations] = await Promise.all([api.pushKey(), api.list()])
      const destination = destinations.find(({ id }) => id === record.id)
      if (!destination) return forgetPush(needs)
      const current = destination.hasEnded ? null : await device.current(serverKey)
      const subscription = current ?? (await device.subscribe(serverKey))
      if (subscription.endpoint === record.endpoint) return
      await api.edit(record.id, { subscription })
      keep(record.id, subscription)
    },
  }
}

/** Ends the messages to this browser. */
async function forgetPush({ device, storage }: Pick<Needs, 'device' | 'storage'>) {
  storage.removeItem(KEY)
  await device.unsubscribe()
}

/** Returns null if this browser is not a destination. */
function readRecord(storage: Needs['storage']): PushRecord | null {
  try {
    return JSON.parse(storage.getItem(KEY) ?? 'null') as PushRecord | null
  } catch {
    return null
  }
}

/** A push service that does not answer must not keep a person from signing out. */
const PATIENCE_MS = 2000

type StartNeeds = { client: Client; prefix: string; owner: string }

/** Keeps this browser's destination up to date, and opens what its notifications are about. */
export async function followPush({ client, prefix, owner }: StartNeeds) {
  followOpenedNotices(prefix)
  const api = destinationsApi(client)
  await createPush({ api, device: createPushDevice(), storage: localStorage, owner }).follow()
}

/** Ends the messages to this browser for a user who leaves it. */
export async function leavePush() {
  const leaving = forgetPush({ device: createPushDevice(), storage: localStorage })
  await Promise.race([leaving.catch(() => undefined), new Promise(resolve => setTimeout(resolve, PATIENCE_MS))])
}
