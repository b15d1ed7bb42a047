import type { TestApp } from './app'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** The database's row of a podcast. */
const rowOf = (app: TestApp, id: string) => app.context.store.podcasts.findVisible(app.context.admin, id)!

/** Checks a podcast's feed as if a person had asked for it. */
export const refresh = (app: TestApp, id: string) =>
  app.context.refresh.refresh(rowOf(app, id).id, { isAsked: true, isWhole: true })
