import i18next from 'i18next'
import type { Podcast } from '../../shared/api/podcast'
import type { Client } from '../api/client'
import { devicesApi } from '../api/devices'
import type { Library } from './library'
import type { Toasts } from './toasts'

type Needs = { client: Client; library: Pick<Library, 'favour'>; toasts: Pick<Toasts, 'done'> }

/** Says that podcast apps drop the podcast, too, where somebody has any; it can be taken back. */
export async function warnOfPhones({ client, library, toasts }: Needs, { id, name }: Podcast) {
  const devices = await devicesApi(client)
    .list()
    .catch(() => [])
  if (devices.length === 0) return
  toasts.done(i18next.t('unfavoured-on-phones', { name }), {
    label: i18next.t('undo'),
    run: () => void library.favour(id, true).catch(() => undefined),
  })
}
