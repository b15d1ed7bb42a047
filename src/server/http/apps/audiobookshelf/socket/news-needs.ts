import type { Context } from '../../../../context'
import type { SocketLimits } from './limits'
import type { Peers } from './peers'

/** Everything that telling apps of changes needs. */
export type NewsNeeds = { app: Context; peers: Peers; limits: SocketLimits }
