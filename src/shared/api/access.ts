import { type Static, Type } from '@sinclair/typebox'
import { deviceTypes } from '../choices'
import { Instant, Nullable, oneOf } from './parts'

/** Rights of an assistant's key. */
const AssistantRights = oneOf(['reads', 'changes'])
export type AssistantRights = Static<typeof AssistantRights>

/** The password of a single app, or the key of an assistant, without the password itself. */
export const AppPassword = Type.Object({
  id: Type.String(),
  name: Type.String(),
  assistant: Nullable(AssistantRights),
  createdAt: Instant,
  lastUsedAt: Nullable(Instant),
  lastAddress: Nullable(Type.String()),
})
export type AppPassword = Static<typeof AppPassword>

export const AppPasswordName = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  assistant: Type.Optional(AssistantRights),
})
export type AppPasswordName = Static<typeof AppPasswordName>

/** A password that was just made. It is shown this once: only its hash is kept. */
export const NewAppPassword = Type.Composite([AppPassword, Type.Object({ password: Type.String() })])
export type NewAppPassword = Static<typeof NewAppPassword>

/** A podcast app that asks for access, by the name it gives itself. */
export const AccessRequest = Type.Object({ app: Type.String() })
export type AccessRequest = Static<typeof AccessRequest>

/** An app that is signed in, by the name it gives itself, and its last network address. */
export const AppSession = Type.Object({
  id: Type.String(),
  name: Type.String(),
  createdAt: Instant,
  lastUsedAt: Instant,
  lastAddress: Type.String(),
})
export type AppSession = Static<typeof AppSession>

const DeviceType = oneOf(deviceTypes)
export type DeviceType = Static<typeof DeviceType>

/** A podcast app that syncs; `id` is the name it gives itself. */
export const Device = Type.Object({
  id: Type.String(),
  caption: Type.String(),
  type: DeviceType,
  lastSyncAt: Nullable(Instant),
})
export type Device = Static<typeof Device>

export const DeviceEdit = Type.Object({
  caption: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  type: Type.Optional(DeviceType),
})
export type DeviceEdit = Static<typeof DeviceEdit>

export const SyncWishes = Type.Object({ autoAdd: Type.Boolean() })
export type SyncWishes = Static<typeof SyncWishes>
