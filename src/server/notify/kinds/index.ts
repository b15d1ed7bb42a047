import type { DestinationKind } from '../../../shared/api/destination'
import { writeApprise } from './apprise'
import { writeGotify } from './gotify'
import { writeNtfy } from './ntfy'
import { writePush } from './push'
import type { DestinationPost, Telling } from './request'
import { writeWebhook } from './webhook'

/** Senders, one for each kind of destination. */
export const writers: Readonly<
  Record<DestinationKind, (telling: Telling) => DestinationPost | Promise<DestinationPost>>
> = { push: writePush, ntfy: writeNtfy, gotify: writeGotify, apprise: writeApprise, webhook: writeWebhook }
