import type { Context } from '../../../context'
import type { AppRequest, OpenRequest } from './protocol'
import { signInCalls, userCalls } from './sign-in'
import { statusCalls } from './status'

/** What is answered: JSON of a value, or a response as it is. */
type Answer<R> = (request: R) => unknown

/** A call, written as `GET /api/items/:item`, and how it is answered. */
export type OpenCall = readonly [call: string, answer: Answer<OpenRequest>]
export type AppCall = readonly [call: string, answer: Answer<AppRequest>]

/** Calls that strangers may make. */
export const createOpenCalls = (app: Context): readonly OpenCall[] => [...statusCalls(app), ...signInCalls(app)]

/** Calls of an app that is signed in. A path with a name in a place comes before one with a variable there. */
export const createAppCalls = (app: Context): readonly AppCall[] => [...userCalls(app)]
