import i18next from 'i18next'
import { ApiError } from './api/client'
import { describeFailure } from './app-state'

export type AccountFailure = { at: 'username' | 'password' | 'form'; reason: string }

/** Which field of an account is at fault, and why. */
export function accountFailure(error: unknown): AccountFailure {
  const code = error instanceof ApiError ? error.code : ''
  const isName = code === 'username-taken' || (error instanceof ApiError && error.args['field'] === 'username')
  const at = isName ? 'username' : code === 'password-too-weak' ? 'password' : 'form'
  const reason = isName && code === 'invalid-field' ? i18next.t('username-rule') : describeFailure(error)
  return { at, reason }
}
