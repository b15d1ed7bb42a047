import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DestinationKind } from '../../../../shared/api/destination'
import { ApiError } from '../../../api/client'
import { useApp } from '../../../app-context'
import { describeFailure } from '../../../failure'
import { describePushFailure } from './delivery-failure'

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
