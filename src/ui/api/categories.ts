import { callsOf } from './calls'
import type { Client } from './client'

/** Lists the categories of the library; loaded where it is used. */
export const findCategories = (client: Client) => callsOf(client).get('/podcasts/categories')()
