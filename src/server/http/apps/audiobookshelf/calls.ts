import type { Context } from '../../../context'
import { openIdCalls } from './open-id'
import type { AppCall, OpenCall } from './protocol'
import { signInCalls, userCalls } from './sign-in'
import { statusCalls } from './status'

/** Calls that strangers may make. */
export const createOpenCalls = (app: Context): readonly OpenCall[] => [
  ...statusCalls(app),
  ...signInCalls(app),
  ...openIdCalls(app),
]

/** Calls of an app that is signed in. A path with a name in a place comes before one with a variable there. */
export const createAppCalls = (app: Context): readonly AppCall[] => [...userCalls(app)]
