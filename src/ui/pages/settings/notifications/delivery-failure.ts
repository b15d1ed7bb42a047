import type { TFunction } from 'i18next'
import type { DeliveryFailure } from '../../../../shared/api/destination'
import { describeFailure } from '../../../failure'

/** Statuses that mean that the token or the address is wrong. */
const refusals: ReadonlySet<number> = new Set([401, 403, 404])

/** Describes why a message was not taken, and what to do about it. */
export function describeDeliveryFailure(t: TFunction, failure: DeliveryFailure, status: number | null): string {
  const isRefusal = failure === 'refused' && status !== null && refusals.has(status)
  return t(isRefusal ? `delivery-refused-${status === 404 ? 'address' : 'token'}` : `delivery-${failure}`, { status })
}

/** Describes why this browser could not subscribe; any other error in its own words. */
export function describePushFailure(t: TFunction, error: unknown): string {
  const { name, reason } = error as { name?: string; reason?: string }
  return name === 'PushRefused' ? t(`push-${reason}`) : describeFailure(error)
}
