import { BellRing, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Destination } from '../../../../shared/api/notification'
import { Loaded, Empty } from '../../../components/states'
import { AddDestination } from './add-destination'
import { DestinationCard } from './destination-card'
import { type Destinations, useDestinations, useRefusedField } from './use-destinations'
import './notifications.css'
import { currentLanguage } from '../../../i18n'
import { FormDialog, ShownAtField } from '../../../library/forms/form-dialog'
import { DestinationFields, fieldsOf, kindOf, wishesOf } from './destination-fields'

/** The destinations of news besides the bell. */
export function NotificationsTab() {
  const { t } = useTranslation()
  const all = useDestinations()
  const { destinations, kinds } = all
  const [isAdding, setAdding] = useState(false)
  const [edited, setEdited] = useState<Destination | null>(null)
  const add = (
    <button type="button" className="with-icon" onClick={() => setAdding(true)}>
      <Plus size={18} aria-hidden="true" />
      {t('destination-add')}
    </button>
  )
  return (
    <section className="destinations">
      <header className="gap-8 x-16 below-8 wrap row spread">
        <h2 className="flush">{t('destinations')}</h2>
        {kinds.data !== null && destinations.data !== null && destinations.data.length > 0 && add}
      </header>
      <Loaded resource={kinds} rows={2}>
        {kinds => (
          <Loaded resource={destinations} rows={2}>
            {list =>
              list.length === 0 ? (
                <Empty icon={BellRing} action={add}>
                  {t('destinations-empty')}
                </Empty>
              ) : (
                <>
                  <p className="muted">{t('destinations-text')}</p>
                  <ul className="stack gap-12 above-16">
                    {list.map(one => (
                      <DestinationCard
                        key={one.id}
                        destination={one}
                        kind={kindOf(kinds, one.kind)}
                        all={all}
                        onEdit={() => setEdited(one)}
                      />
                    ))}
                  </ul>
                </>
              )
            }
          </Loaded>
        )}
      </Loaded>
      {isAdding && <AddDestination kinds={kinds.data ?? []} all={all} onClose={() => setAdding(false)} />}
      {edited && <EditDestination destination={edited} all={all} onClose={() => setEdited(null)} />}
    </section>
  )
}

type Props = { destination: Destination; all: Destinations; onClose: () => void }

/** Changes a destination. Its address and its token stay unless others are entered. */
function EditDestination({ destination, all: { api, destinations, kinds }, onClose }: Props) {
  const { t } = useTranslation()
  const kind = kindOf(kinds.data ?? [], destination.kind)
  const { failure, refuse, forget } = useRefusedField(kind)
  const [fields, setFields] = useState(() => fieldsOf(destination))
  const { id, name } = destination

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
