import { ApiError } from '../../api/client'
import { describeFailure } from '../../failure'

/** A reason in words. `field`: the setting at fault; '' if it is none. */
export type SettingFailure = { field: string; reason: string }

/** Finds the setting that an error is about. Null = no failure. */
export function settingFailure(error: unknown): SettingFailure | null {
  if (error === null) return null
  return { field: error instanceof ApiError ? (error.args['field'] ?? '') : '', reason: describeFailure(error) }
}
