import type { TFunction } from 'i18next'
import type { DeliveryFailure, DestinationKind } from '../../../../shared/api/destination'
import { describeFailure } from '../../../failure'

/** Statuses of a host that does not accept the token. */
const forbidden: ReadonlySet<number> = new Set([401, 403])

/** Describes why a message was not taken, and what to do about it. */
export function describeDeliveryFailure(
  t: TFunction,
  { kind }: DestinationKind,
  failure: DeliveryFailure,
  status: number | null,
): string {
  if (failure === 'ended' && kind !== 'push') return t('delivery-refused-address', { status })
  if (failure !== 'refused' || status === null) return t(`delivery-${failure}`, { status })
  if (status === 404) return t('delivery-refused-address', { status })
  return t(forbidden.has(status) ? 'delivery-refused-token' : 'delivery-refused', { status })
}

/** Describes why this browser could not subscribe; any other error in its own words. */
export function describePushFailure(t: TFunction, error: unknown): string {
  const { name, reason } = error as { name?: string; reason?: string }
  return name === 'PushRefused' ? t(`push-${reason}`) : describeFailure(error)
}
