import { Type, type Static } from '@sinclair/typebox'
import { deviceTypes } from '../choices'
import { Instant, Nullable, oneOf } from './parts'

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
