import i18next from 'i18next'
import { translate } from './i18n'
import { ApiError } from './api/client'

/** Describes an error in the user's language. An error that the API did not send is unexpected. */
export function describeFailure(error: unknown): string {
  return error instanceof ApiError ? describeProblem(error.code, error.args) : translate('error.unexpected')
}

/** Describes a code of the API in the user's language. */
export function describeProblem(code: string, args: ApiError['args']): string {
  const key = `error.${code}`
  if (!i18next.exists(key)) return translate('error.unexpected')
  const type = args.type && translate(`not-a-feed-${args.type}`, { defaultValue: args.type })
  // A person who may not add anything reads that, rather than that 0 of 0 are left.
  const context = args.limit === '0' ? 'none' : undefined
  return translate(key, { ...args, type, context, ...readLimit(args) })
}

/** The API sends its arguments as texts: a limit that is a number is formatted like any other. */
const readLimit = ({ limit = '' }: ApiError['args']) => (/^\d+$/.test(limit) ? { limit: Number(limit) } : {})

export type AccountFailure = { at: 'username' | 'password' | 'form'; reason: string }

/** Finds the field of an account form that an error is about, and describes the error. */
export function accountFailure(error: unknown): AccountFailure {
  const code = error instanceof ApiError ? error.code : ''
  const isName = code.startsWith('username-') || (error instanceof ApiError && error.args['field'] === 'username')
  const at = isName ? 'username' : code === 'password-too-weak' ? 'password' : 'form'
  const reason = isName && code === 'invalid-field' ? describeNameFault(error as ApiError) : describeFailure(error)
  return { at, reason }
}

/** Says what is wrong with a name; the whole rule if the server names no single fault. */
function describeNameFault({ args }: ApiError): string {
  const key = `username-fault-${args['fault']}`
  return translate(i18next.exists(key) ? key : 'username-rule')
}
