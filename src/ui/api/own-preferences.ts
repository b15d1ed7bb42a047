import { callsOf } from './calls'
import type { Client } from './client'

/** Lists the podcasts for which the user has chosen a speed, or queues new episodes. */
export const findOwnPreferences = (client: Client) => callsOf(client).get('/podcasts/preferences')()
