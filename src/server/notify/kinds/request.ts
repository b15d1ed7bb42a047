import type { PostBody } from '../../outbound/connect'
import type { Message } from '../message'
import type { Told } from '../news'
import type { Target } from '../target'
import type { VapidKeys } from '../vapid'

/** Everything that a request to a destination is made of. */
export type Telling = {
  target: Target
  /** The same for every attempt at a message. */
  key: string
  told: Told
  message: Message
  /** The server's own address, with a trailing slash. */
  baseUrl: string
  /** When the news came to be, in milliseconds. */
  createdAt: number
  /** Milliseconds. */
  now: number
  vapid: () => VapidKeys
}

/** A request to be sent by POST. */
export type DestinationPost = { address: string; headers: Record<string, string>; body: PostBody }

export const linkOf = ({ baseUrl, message }: Pick<Telling, 'baseUrl' | 'message'>) => `${baseUrl}ui/${message.path}`

/** Headers of a JSON body that is not sent twice with another key. */
export const jsonHeaders = (key: string) => ({ 'Content-Type': 'application/json', 'Idempotency-Key': key })

/** Whether a message says that something went wrong. */
export const isWarning = ({ type }: Told) => !['newEpisodes', 'downloadFinished', 'test'].includes(type)
