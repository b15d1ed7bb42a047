import { translate } from '../i18n'
import type { KnownPodcast } from '../../shared/api/podcast'
import type { Client } from '../api/client'
import { devicesApi } from '../api/administration'
import type { Library } from './library'
import type { Toasts } from './toasts'

type Needs = { client: Client; library: Pick<Library, 'favour'>; toasts: Pick<Toasts, 'done'> }

/** Notifies users of podcast apps that these drop the podcast as well, and offers to undo it. */
export async function warnOfPhones({ client, library, toasts }: Needs, { id, name }: KnownPodcast) {
  const devices = await devicesApi(client)
    .list()
    .catch(() => [])
  if (devices.length === 0) return
  toasts.done(translate('unfavoured-on-phones', { name }), {
    label: translate('undo'),
    run: () => void library.favour(id, true).catch(() => undefined),
  })
}
