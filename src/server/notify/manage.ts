import type { DestinationEdit, DestinationRequest, NewsType, PushSubscriptionKeys } from '../../shared/api/notification'
import { mayCarry } from '../outbound/credentials'
import { OutboundError } from '../outbound/error'
import type { Outbound } from '../outbound/request'
import { type Clock, HOUR, MINUTE } from '../platform/clock'
import { invalidField, notFound, Problem } from '../platform/problem'
import type { Secret } from '../platform/secret'
import type { Store } from '../store'
import type { DestinationRow, ListedDestination } from '../store/destinations'
import type { UserRow } from '../store/users'
import { findKind, kinds } from './kinds'
import { type Kind, readAddress } from './kinds/kind'
import { forAdmins } from './news'
import { isTimeZone, readMinute, writeMinute } from './quiet'
import type { SendFailure, Sending } from './send'
import { makeSigningSecret, openTarget, sealTarget, type Target } from './secrets'

const MAX_PER_USER = 20
const RESTORABLE_MS = HOUR
const MAX_TESTS = 10

type Needs = {
  store: Store
  secret: Secret
  outbound: Outbound
  now: Clock
  sendOnce: (destination: DestinationRow, sending: Sending) => Promise<SendFailure | null>
}

/** Creates, edits, tests and removes destinations. */
export function createManagement(needs: Needs) {
  const { store, now } = needs
  const mayTest = createTestLimit(now)
  const require = (user: UserRow, uuid: string) => requireDestination(store, user, uuid)

  return {
    list: (user: UserRow) => store.destinations.list(user.id),
    create: async (user: UserRow, request: DestinationRequest, baseUrl: string) => {
      const { uuid, signingSecret } = await addDestination(needs, user, request, baseUrl)
      return { row: require(user, uuid), signingSecret }
    },
    async edit(user: UserRow, uuid: string, edit: DestinationEdit, baseUrl: string) {
      await editDestination(needs, user, uuid, edit, baseUrl)
      return require(user, uuid)
    },
    remove(user: UserRow, uuid: string) {
      if (!store.destinations.remove(user.id, uuid, now())) throw notFound('destination')
    },
    /** Undoes a removal. Throws `destination-not-found` once its secrets are deleted. */
    restore(user: UserRow, uuid: string): ListedDestination {
      if (!store.destinations.restore(user.id, uuid)) throw notFound('destination')
      return require(user, uuid)
    },
    /** Sends a message at once, even in quiet hours and if the destination is off; null = it was accepted. */
    async test(user: UserRow, uuid: string): Promise<SendFailure | null> {
      const destination = require(user, uuid)
      mayTest(user.id)
      const sending: Sending = { key: crypto.randomUUID(), announcement: { type: 'test', facts: {} }, createdAt: now() }
      const failure = await needs.sendOnce(destination, sending)
      if (failure) store.destinations.noteFailure(destination.id, failure.failure, failure.status, now())
      else store.destinations.noteSuccess(destination.id, now())
      if (failure?.failure === 'ended') store.destinations.end(destination.id, destination.target)
      return failure
    },
    /** Deletes what was removed, once the removal can no longer be undone. */
    purge: () => store.destinations.purge(now() - RESTORABLE_MS),
  }
}

/** Throws `destination-not-found`. */
function requireDestination(store: Store, user: UserRow, uuid: string): ListedDestination {
  const found = store.destinations.findOf(user.id, uuid)
  if (!found) throw notFound('destination')
  return found
}

async function addDestination(needs: Needs, user: UserRow, request: DestinationRequest, baseUrl: string) {
  const { store, secret, now } = needs
  requireRights(user, request.events)
  const kind = requireKind(request.kind)
  const signingSecret = kind.isSigned ? makeSigningSecret() : null
  const target = targetOf(kind, request, signingSecret)
  const times = timesOf(request.quietHours ?? null, request.timeZone)
  await requireReach(needs, user, target)
  if (store.destinations.countOf(user.id) >= MAX_PER_USER)
    throw new Problem('too-many-destinations', `An account has at most ${MAX_PER_USER} destinations`, {
      limit: String(MAX_PER_USER),
    })
  const uuid = store.destinations.add({
    user_id: user.id,
    kind: request.kind,
    name: request.name.trim(),
    ...sealed(secret, target),
    events: JSON.stringify([...new Set(request.events)]),
    ...times,
    language: request.language,
    base_url: baseUrl,
    created_at: now(),
  })
  return { uuid, signingSecret }
}

/** Throws `invalid-field`. */
function requireKind(name: string): Kind {
  const kind = findKind(name)
  if (!kind) throw invalidField('kind', `expected one of ${Object.keys(kinds).join(', ')}`)
  return kind
}

type Entered = Pick<DestinationRequest, 'address' | 'token' | 'subscription'>

function targetOf(kind: Kind, { address, token, subscription }: Entered, secret: string | null): Target {
  if (kind.address === null) {
    if (!subscription) throw invalidField('subscription', 'expected the subscription of a browser')
    return targetOfSubscription(kind, subscription)
  }
  return { address: readAddress(kind, address ?? ''), token: readToken(kind, token), secret, keys: null }
}

const targetOfSubscription = (kind: Kind, { endpoint, p256dh, auth }: PushSubscriptionKeys): Target => ({
  address: readAddress(kind, endpoint),
  token: null,
  secret: null,
  keys: { p256dh, auth },
})

/** Throws `invalid-field`. */
function readToken(kind: Kind, token: string | null | undefined): string | null {
  const read = kind.token === 'none' ? null : token?.trim() || null
  if (kind.token === 'required' && !read) throw invalidField('token', 'expected a token')
  return read
}

/** Changes what an edit names. Resolving the host takes a while: changes made in the meantime stay. */
async function editDestination(needs: Needs, user: UserRow, uuid: string, edit: DestinationEdit, baseUrl: string) {
  const { store, secret, now } = needs
  if (edit.events) requireRights(user, edit.events)
  const before = requireDestination(store, user, uuid)
  timesAfter(before, edit)
  const target = changedTarget(secret, before, edit)
  if (target && (edit.address !== undefined || edit.subscription)) await requireReach(needs, user, target)
  store.inTransaction(() => {
    const current = requireDestination(store, user, uuid)
    const changed = changedTarget(secret, current, edit)
    const isOn = edit.isOn ?? current.is_on === 1
    store.destinations.edit(current.id, {
      name: edit.name?.trim() ?? current.name,
      ...(changed ? sealed(secret, changed) : sealedOf(current)),
      events: edit.events ? JSON.stringify([...new Set(edit.events)]) : current.events,
      is_on: Number(isOn),
      ...timesAfter(current, edit),
      language: edit.language ?? current.language,
      base_url: baseUrl,
      has_ended: edit.subscription || edit.address !== undefined ? 0 : current.has_ended,
    })
    if (isOn) store.deliveries.makeDue(current.id, now())
    else store.deliveries.removeOf(current.id)
  })
}

/**
 * The target after an edit; null = it stays. A token belongs to the host that it was given for: another host does not
 * get it. A new subscription needs nothing from the old one, which another secret may have encrypted.
 */
function changedTarget(secret: Secret, before: DestinationRow, edit: DestinationEdit): Target | null {
  const { address, token, subscription } = edit
  if (address === undefined && token === undefined && !subscription) return null
  const kind = requireKind(before.kind)
  if (kind.address === null) return subscription ? targetOfSubscription(kind, subscription) : null
  const target = openTarget(secret, before.target)
  const changed = address === undefined ? target.address : readAddress(kind, address)
  const kept = mayCarry(target.address, changed) ? target.token : null
  return { ...target, address: changed, token: readToken(kind, token ?? kept) }
}

const sealedOf = ({ target, host, has_token }: DestinationRow) => ({ target, host, has_token })

const sealed = (secret: Secret, target: Target) => ({
  target: sealTarget(secret, target),
  host: new URL(target.address).host,
  has_token: Number(target.token !== null),
})

function timesOf(quietHours: { from: string; to: string } | null, timeZone: string) {
  if (!isTimeZone(timeZone)) throw invalidField('timeZone', 'expected the name of a time zone, such as Europe/Berlin')
  return {
    quiet_from: quietHours && readMinute(quietHours.from),
    quiet_to: quietHours && readMinute(quietHours.to),
    time_zone: timeZone,
  }
}

const timesAfter = (row: DestinationRow, { quietHours, timeZone }: DestinationEdit) =>
  timesOf(quietHours === undefined ? quietOf(row) : quietHours, timeZone ?? row.time_zone)

const quietOf = ({ quiet_from, quiet_to }: DestinationRow) =>
  quiet_from === null || quiet_to === null ? null : { from: writeMinute(quiet_from), to: writeMinute(quiet_to) }

function requireRights({ role }: UserRow, events: readonly NewsType[]) {
  if (role !== 'admin' && events.some(event => forAdmins.has(event)))
    throw new Problem('not-admin', 'Only admins can be notified about the server')
}

/** Throws `address-not-allowed`, and `destination-unreachable` for a name that does not resolve. */
async function requireReach({ outbound }: Needs, { role }: UserRow, { address }: Target) {
  try {
    await outbound.reachOf(address, role === 'admin')
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.code === 'address-not-allowed')
      throw new Problem('address-not-allowed', error.message, { field: 'address' })
    throw new Problem('destination-unreachable', 'The host could not be found', { host: error.host })
  }
}

/** Lets each user send a few tests a minute: each sends a request to an address. */
function createTestLimit(now: Clock) {
  const tests = new Map<number, number[]>()
  return (userId: number) => {
    const recent = (tests.get(userId) ?? []).filter(at => Math.abs(now() - at) < MINUTE)
    if (recent.length >= MAX_TESTS) throw new Problem('too-many-requests', 'Too many tests. Wait a minute.', {}, 60)
    tests.set(userId, [...recent, now()])
  }
}
