import type { PostBody } from '../../outbound/connect'
import { invalidField } from '../../platform/problem'
import type { Message } from '../message'
import type { Announcement } from '../news'
import type { Target, VapidKeys } from '../secrets'

/** A kind of destination: everything that distinguishes it from the others. Its texts are in the locales. */
export type Kind = {
  /** Name of the program or service, the same in every language; null = `destination-KIND` of the locales. */
  label: string | null
  /** Outlines on 24 × 24 units, as path data of SVG. These are Lucide's. */
  icon: readonly string[]
  /**
   * Checks and normalises the address that a person enters. Throws `invalid-field`. null = a browser, which gives its
   * subscription instead.
   */
  address: ((url: URL) => void) | null
  token: 'none' | 'optional' | 'required'
  /** Statuses by which a host says that the address is permanently gone. */
  endsAt?: readonly number[]
  /** Whether requests are signed with a secret that is made here. */
  isSigned?: boolean
  request: (delivery: Delivery) => DestinationPost | Promise<DestinationPost>
}

/** Everything that a request to a destination is made from. */
export type Delivery = {
  target: Target
  /** The same for every attempt at a message. */
  key: string
  announcement: Announcement
  message: Message
  /** The server's own address, with a trailing slash. */
  baseUrl: string
  /** When the news arose, in milliseconds. */
  createdAt: number
  /** Milliseconds. */
  now: number
  vapid: () => VapidKeys
}

/** A request to be sent by POST. */
type DestinationPost = { address: string; headers: Record<string, string>; body: PostBody }

/** Throws `invalid-field` for an address that is not of this kind. */
export function readAddress({ address }: Kind, text: string): string {
  const url = URL.parse(text.trim())
  if (!url || !/^https?:$/.test(url.protocol)) throw invalidField('address', 'expected an address with http or https')
  url.hash = ''
  address?.(url)
  return url.href
}

export const linkOf = ({ baseUrl, message }: Pick<Delivery, 'baseUrl' | 'message'>) => `${baseUrl}ui/${message.path}`

/** Headers of a JSON body, with the key that is the same for every attempt. */
export const jsonHeaders = (key: string) => ({ 'Content-Type': 'application/json', 'Idempotency-Key': key })

/** Whether a message says that something went wrong. */
export const isWarning = ({ type }: Announcement) =>
  !['newEpisodes', 'liveStarted', 'downloadFinished', 'test'].includes(type)
