import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Destination } from '../../../../shared/api/destination'
import { currentLanguage } from '../../../i18n'
import { FormDialog, ShownAtField } from '../../../library/forms/form-dialog'
import { DestinationFields } from './destination-fields'
import { fieldsOf, wishesOf } from './fields'
import type { Destinations } from './use-destinations'
import { useRefusedField } from './use-refused-field'

type Props = { destination: Destination; all: Destinations; onClose: () => void }

/** Changes a destination. Its address and its token stay unless others are entered. */
export function EditDestination({ destination, all: { api, destinations }, onClose }: Props) {
  const { t } = useTranslation()
  const { failure, refuse, forget } = useRefusedField(destination.kind)
  const [fields, setFields] = useState(() => fieldsOf(destination))
  const { kind, id, name } = destination

  async function save() {
    const { address, token } = fields
    try {
      await api.edit(id, {
        ...wishesOf(fields, currentLanguage()),
        ...(address.trim() && { address }),
        ...(token.trim() && { token }),
      })
    } catch (error) {
      refuse(error)
      throw new ShownAtField()
    }
    void destinations.retry()
  }
  return (
    <FormDialog title={name} action={t('save')} onSubmit={save} onClose={onClose}>
      <DestinationFields
        isKept
        kind={kind}
        fields={fields}
        failure={failure}
        onChange={changed => {
          setFields(before => ({ ...before, ...changed }))
          forget()
        }}
      />
    </FormDialog>
  )
}
