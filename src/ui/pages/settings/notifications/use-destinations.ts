import { useSignals } from '@preact/signals-react/runtime'
import type { TFunction } from 'i18next'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeliveryFailure, DestinationKind } from '../../../../shared/api/notification'
import { ApiError } from '../../../api/client'
import { useApp } from '../../../app-context'
import { createPushDevice, followOpenedNotices } from '../../../device/push'
import { describeFailure } from '../../../failure'
import { createPush } from '../../../state/push'
import { useAdministrationApi } from '../../../use-administration'
import { useResource } from '../../../use-resource'

const REFRESH_MS = 5000

/**
 * Where the user wants news to be sent, and this browser as one of these places. The list is refreshed while it is in
 * sight.
 */
export function useDestinations() {
  useSignals()
  const { session, prefix } = useApp()
  const { destinations: api } = useAdministrationApi()
  const destinations = useResource(api.list, [])
  const kinds = useResource(api.kinds, [])
  const owner = session.user.value?.id ?? ''
  const device = useMemo(() => createPushDevice(), [])
  useEffect(() => followOpenedNotices(prefix), [prefix])
  const { retry } = destinations
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void retry()
    }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [retry])
  const push = useMemo(() => createPush({ api, device, storage: localStorage, owner }), [api, device, owner])
  return { api, destinations, kinds, device, push }
}
export type Destinations = ReturnType<typeof useDestinations>

/** Keeps the field of a destination that the server refused; what belongs to no field becomes a notice. */
export function useRefusedField({ kind }: DestinationKind) {
  const { toasts } = useApp()
  const { t } = useTranslation()
  const [failure, setFailure] = useState<{ field: string; reason: string } | null>(null)

  function refuse(error: unknown) {
    const found = error instanceof ApiError ? fieldOf(error) : null
    if (!found) return toasts.failed(describePushFailure(t, error))
    const isOfField = error instanceof ApiError && error.code === 'invalid-field'
    const keys = [`destination-wrong-${found}-${kind}`, `destination-wrong-${found}`]
    setFailure({ field: found, reason: isOfField ? t(keys) : describeFailure(error) })
  }
  return { failure, refuse, forget: () => setFailure(null) }
}

function fieldOf({ code, args }: ApiError): 'address' | 'token' | null {
  if (code === 'destination-unreachable' || code === 'address-not-allowed') return 'address'
  const { field } = args
  return code === 'invalid-field' && (field === 'address' || field === 'token') ? field : null
}

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
